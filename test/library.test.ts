import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { PLAIN_ENV } from './e2e/program.ts';

const ROOT = dirname(import.meta.dirname);
const folder = mkdtempSync(join(tmpdir(), 'ltm-library-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const page = readFileSync(join(ROOT, 'docs', 'library.md'), 'utf8');
const examples = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code!);
/** Installed, the package is found by its name; here it is this clone. */
const library = pathToFileURL(join(ROOT, 'src', 'index.ts')).href;

test('docs/library.md has examples', () => assert.ok(examples.length >= 4));

for (const [at, code] of examples.entries())
  test(`example ${at + 1} of docs/library.md prints what it says`, async () => {
    const file = join(folder, `example-${at}.ts`);
    writeFileSync(file, code.replaceAll("from 'ltm'", `from '${library}'`));
    const { stdout } = await promisify(execFile)(process.execPath, [file], {
      cwd: folder,
      env: { ...PLAIN_ENV, HOME: folder },
    });
    const said = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, text]) => text);
    if (said.length > 0) assert.deepEqual(stdout.trim().split('\n'), said);
    else assert.match(stdout, /^found Staging runs on port 8443\. [01](\.\d+)?\n$/);
  });

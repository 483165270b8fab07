import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

const MODULES = ['privacy/find-secrets.ts', 'model/hidden-characters.ts'];

test('no pattern is put together before a text needs it: a hook pays for each at every event', () => {
  const script = `
    const made = [];
    const Made = RegExp;
    globalThis.RegExp = class extends Made {
      constructor(...given) {
        super(...given);
        made.push(String(given[0]).slice(0, 60));
      }
    };
    for (const module of ${JSON.stringify(MODULES.map((name) => join(import.meta.dirname, '..', name)))})
      await import(module);
    process.stdout.write(JSON.stringify(made));`;
  const made = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  assert.deepEqual(JSON.parse(made), []);
});

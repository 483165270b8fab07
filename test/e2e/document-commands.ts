import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { PLAIN_ENV, PROGRAM } from './program.ts';

const DOCS = join(import.meta.dirname, '..', '..', 'docs');

/** The block that stands below `<!-- run: NAME -->` in a document, with the names that stand for the reader's own replaced. */
export function readCommands(document: string, name: string, replacements: Record<string, string>): string {
  const text = readFileSync(join(DOCS, document), 'utf8');
  const block = new RegExp(`^ *<!-- run: ${name} -->\\n *\`\`\`\\w+\\n([\\s\\S]*?)^ *\`\`\``, 'm').exec(text)?.[1];
  if (block === undefined) throw new Error(`${document} has no commands called ${name}.`);
  return Object.entries(replacements).reduce((all, [from, to]) => all.replaceAll(from, to), block);
}

export interface Shell {
  /** Runs them one after the other, stops at the first that fails, and throws with what it said. */
  run(commands: string): Promise<string>;
  folder: string;
  remove(): void;
}

/** A folder of its own in which `ltm` is the program under test. `programs`: where others are looked for first. */
export function openShell(programs: string, env: Record<string, string> = {}): Shell {
  const folder = mkdtempSync(join(tmpdir(), 'ltm-shell-'));
  writeFileSync(join(folder, 'ltm'), `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`, { mode: 0o755 });
  const path = [folder, programs, process.env.PATH].join(delimiter);
  return {
    folder,
    run: (commands) =>
      new Promise((resolve, reject) => {
        const options = { cwd: folder, env: { ...PLAIN_ENV, PATH: path, HOME: folder, LTM_HOME: folder, ...env } };
        execFile('bash', ['-eu', '-c', commands], options, (error, stdout, stderr) =>
          error === null ? resolve(stdout) : reject(new Error(`${error.message}\n${stdout}\n${stderr}`)),
        );
      }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

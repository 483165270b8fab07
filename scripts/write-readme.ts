// Runs the first terminal session of the README on the packed program in an empty home, writes what it printed back into the README, and draws it as it looks in
// a terminal: docs/images/terminal-{light,dark}.svg. node scripts/write-readme.ts
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { installPacked, packProgram } from '../test/packed/pack-program.ts';
import { drawTerminal, SCHEMES } from './readme/draw-terminal.ts';
import { type ConsoleStep, readConsoles, writeFirstConsole } from './readme/read-console.ts';

const ROOT = dirname(import.meta.dirname);
const COLUMNS = 92;
const TITLE =
  'A terminal: ltm stores two notes, replaces a password, finds one by what it means, deletes it and undoes that.';

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
const home = mkdtempSync(join(tmpdir(), 'ltm-readme-'));
try {
  const { bin } = installPacked(packProgram(), home);
  const path = [bin, dirname(process.execPath), '/usr/bin', '/bin'].join(':');
  const env = { PATH: path, HOME: home, COLUMNS: String(COLUMNS), FORCE_COLOR: '1', TZ: 'UTC', LANG: 'C.UTF-8' };
  const coloured = readConsoles(readme)[0]!.map(({ command }): ConsoleStep => {
    const { stdout, status } = spawnSync('sh', ['-c', `${command} 2>&1`], { env, cwd: home, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${command}: exit ${status}\n${stdout}`);
    return { command, output: stdout.trimEnd().split('\n') };
  });
  const plain = coloured.map(({ command, output }) => ({ command, output: output.map(stripVTControlCharacters) }));
  writeFileSync(join(ROOT, 'README.md'), writeFirstConsole(readme, plain));
  const folder = join(ROOT, 'docs', 'images');
  mkdirSync(folder, { recursive: true });
  for (const [name, scheme] of Object.entries(SCHEMES))
    writeFileSync(
      join(folder, `terminal-${name}.svg`),
      drawTerminal(coloured.flatMap(showStep), { columns: COLUMNS, scheme, title: TITLE }),
    );
} finally {
  rmSync(home, { recursive: true, force: true });
}

function showStep({ command, output }: ConsoleStep, at: number): string[] {
  const lines = [...(at > 0 ? [''] : []), `\u001b[35m$\u001b[39m ${command}`, ...output];
  const long = lines.find((line) => stripVTControlCharacters(line).length > COLUMNS);
  if (long !== undefined) throw new Error(`This does not fit into ${COLUMNS} columns: ${long}`);
  return lines;
}

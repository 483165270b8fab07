import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { installPacked, packProgram } from './pack-program.ts';
import {
  findRuntimes,
  isSupported,
  meetFloor,
  nameOf,
  useCommands,
  useHook,
  useMcp,
  useServer,
} from './use-runtime.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'ltm-runtimes-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** What the package promises to run on: the oldest and the newest of each. `npm run runtimes` fetches them all. */
const PROMISED = ['Node 22', 'Node 24', 'Node 26', 'Bun'];

describe('the packed program, installed by npm install -g', {
  skip: process.platform === 'win32' && 'shell paths',
}, () => {
  let program = '';
  before(() => {
    ({ program } = installPacked(packProgram(), folder));
  });

  const runtimes = findRuntimes();
  for (const runtime of runtimes) {
    const use = () => ({ runtime, program, home: join(folder, nameOf(runtime)) });
    if (isSupported(runtime))
      it(`runs on ${nameOf(runtime)}`, async () => {
        useCommands(use());
        await useMcp(use());
        await useServer(use());
        useHook(use());
      });
    else it(`says in one line what it needs on ${nameOf(runtime)}`, () => meetFloor(use()));
  }

  it('takes each release from the first with a sound SQLite on', () => {
    const taken = ['22.22.3', '22.23.0', '24.15.0', '24.21.0', '25.9.0', '26.0.0', '30.1.2'];
    const refused = ['12.22.12', '18.20.0', '20.20.2', '22.13.0', '22.22.2', '23.11.1', '24.0.0', '24.14.1', '25.8.9'];
    const env = { PATH: process.env.PATH ?? '', HOME: folder };
    for (const version of [...taken, ...refused]) {
      const pretend = `Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`;
      const words = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, program, 'version'];
      const { status } = spawnSync(process.execPath, words, { env });
      assert.equal(status, taken.includes(version) ? 0 : 1, version);
    }
  });

  for (const name of PROMISED)
    if (!runtimes.some((runtime) => nameOf(runtime).startsWith(name) && isSupported(runtime)))
      it(`runs on ${name}`, { skip: `no ${name} here: npm run runtimes fetches it` }, () => {});
});

describe('the floor', () => {
  it('is the same for the program, its hook and `engines`', () => {
    const { engines } = JSON.parse(read('package.json'));
    assert.equal(engines.node, '^22.22.3 || ^24.15.0 || >=25.9.0');
    const line = 'const OLDEST = { 22: [22, 3], 24: [15, 0], 25: [9, 0] };';
    for (const file of ['bin/ltm.js', 'bin/ltm-hook.js']) assert.ok(read(file).includes(line), file);
    assert.ok(read('bin/hand-over.js').includes("'22.22.3, 24.15, 25.9 or newer'"));
  });
});

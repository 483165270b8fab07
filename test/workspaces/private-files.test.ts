// What is stored leaves the database only for files that their owner alone can read.
import assert from 'node:assert/strict';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { streamPrivateFile, writePrivateFile } from '../../src/settings/private-file.ts';
import { makeFolder, openTestEngine } from '../open-test-engine.ts';
import { clientOf } from '../verb-client.ts';
import { LAPTOP } from './federated-server.ts';
import { makeTranscript } from './make-transcript.ts';
import { runLtm } from './run-ltm.ts';

const skip = process.platform === 'win32' ? 'there are no permissions of this kind' : false;

/** Paths that others than the owner may read, write or enter, or the owner may not. */
function open(folder: string): string[] {
  const all = [folder, ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))];
  return all.filter((path) => {
    const stats = lstatSync(path);
    return (stats.mode & 0o777) !== (stats.isDirectory() ? 0o700 : 0o600);
  });
}

for (const umask of ['000', '022', '777'])
  test(`mirrors, exports and backups are the owner's alone under umask ${umask}`, { skip }, async (t) => {
    const home = makeFolder();
    const file = join(home, 'db', 'ltm.db');
    mkdirSync(join(home, 'db'));
    const memory = await openTestEngine(t, { path: file });
    const client = clientOf(memory.engine);
    const { workspaceId: workspace, writeToken } = await client.registerWorkspace(LAPTOP);
    await client.uploadTranscript({ workspace, writeToken, session: 's1', content: makeTranscript(20) });
    for (const content of ['one', 'two'])
      await client.uploadNote({ workspace, writeToken, path: 'deep/plan.md', content });
    await memory.engine.close();
    const run = async (...words: string[]): Promise<void> => {
      const { code, err } = await runLtm(home, [...words, '--db', file], { umask });
      assert.equal(code, 0, err);
    };
    const there = join(home, 'there');
    mkdirSync(there);
    chmodSync(there, 0o755);
    await run('mirror', join(home, 'new', 'mirror'));
    await run('mirror', there);
    await run('export', join(home, 'new', 'export.jsonl'));
    await run('observations', 'export', '--out', join(home, 'new', 'sessions.jsonl'));
    await run('backup', 'create', '--to', join(home, 'new', 'backups'));
    assert.deepEqual([...open(join(home, 'new')), ...open(there)], []);
  });

test('what an earlier release left open to others is closed when the folder is bound', { skip }, async (t) => {
  const home = makeFolder();
  const file = join(home, 'ltm.db');
  const memory = await openTestEngine(t, { path: file });
  const client = clientOf(memory.engine);
  const { workspaceId: workspace, writeToken } = await client.registerWorkspace(LAPTOP);
  await client.uploadNote({ workspace, writeToken, path: 'deep/plan.md', content: 'plan' });
  await memory.engine.close();
  const folder = join(home, 'mirror');
  const mirror = () => runLtm(home, ['mirror', folder, '--db', file]);
  assert.equal((await mirror()).code, 0);
  const state = join(folder, '_meta', 'state.json');
  const { memory: _, ...unbound } = JSON.parse(readFileSync(state, 'utf8'));
  writeFileSync(state, JSON.stringify(unbound));
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    chmodSync(join(folder, name), statSync(join(folder, name)).isDirectory() ? 0o755 : 0o644);
  assert.equal((await mirror()).code, 0);
  assert.deepEqual(open(folder), []);
});

test('a link in the place of a file is replaced and not followed, and what is no file is refused', {
  skip,
}, async () => {
  const folder = makeFolder();
  const precious = join(folder, 'precious');
  writeFileSync(precious, 'precious');
  const [link, streamed, inside] = ['a', 'b', 'c'].map((name) => join(folder, name)) as [string, string, string];
  for (const path of [link, streamed, `${link}.part`, `${streamed}.part`]) symlinkSync(precious, path);
  writePrivateFile(link, 'mine');
  await streamPrivateFile(streamed, async (stream) => void stream.write('mine too'));
  assert.deepEqual(
    [precious, link, streamed].map((path) => readFileSync(path, 'utf8')),
    ['precious', 'mine', 'mine too'],
  );
  mkdirSync(inside);
  for (const path of [inside, '/dev/null'])
    assert.throws(() => writePrivateFile(path, 'x'), { code: 'invalid_input' }, path);
  await assert.rejects(
    streamPrivateFile(link, async () => Promise.reject(new Error('broken off'))),
    /broken off/,
  );
  assert.equal(readFileSync(link, 'utf8'), 'mine');
  assert.deepEqual(readdirSync(folder).sort(), ['a', 'a.part', 'b', 'b.part', 'c', 'precious']);
});

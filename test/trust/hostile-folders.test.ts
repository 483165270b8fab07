// Section 3.6 of the threat model: folders that were made to harm, or happen to.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openMirror } from '../../src/features/workspaces/mirror/mirror-files.ts';
import { mirrorOnce, mirrorSource } from '../../src/features/workspaces/mirror/mirror-folder.ts';
import { newNoteReport, syncNotes } from '../../src/features/workspaces/sync/sync-notes.ts';
import { makeFolder, openTestEngine } from '../open-test-engine.ts';
import { clientOf } from '../verb-client.ts';

test('files in a mirror that are pipes, devices, links or enormous are named and passed over, and the memory keeps what it has', async (t) => {
  if (process.platform === 'win32') return t.skip('there are no pipes in folders');
  const [folder, outside] = [makeFolder(), makeFolder()];
  writeFileSync(join(outside, 'precious.md'), 'precious');
  const { engine } = await openTestEngine(t);
  const client = clientOf(engine);
  const { workspaceId: workspace } = await client.registerWorkspace({ machine: 'm', tool: 't', project: 'p' });
  for (const name of ['kept', 'large', 'linked'])
    await client.uploadNote({ workspace, path: `${name}.md`, content: name });
  const mirror = join(folder, 'mirror');
  await mirrorOnce(mirrorSource(client), openMirror(mirror));
  const at = (name: string): string => join(mirror, 'workspaces', workspace, 'knowledge', name);
  execFileSync('mkfifo', [at('pipe.md')]);
  truncateSync(at('large.md'), 20 * 2 ** 30);
  writeFileSync(at('sparse.md'), '');
  truncateSync(at('sparse.md'), 50 * 2 ** 30);
  mkdirSync(at('folder.md'));
  symlinkSync(join(outside, 'precious.md'), at('link.md'));
  symlinkSync('/dev/zero', at('zero.md'));
  linkSync(join(outside, 'precious.md'), at('hard.md'));
  symlinkSync(join(outside, 'precious.md'), `${at('kept.md')}.${process.pid}.part`);
  writeFileSync(at('bad.md'), Buffer.from([0x61, 0xff, 0xfe]));
  for (const name of ['CON.md', 'a:b.md', 'trailing .md', 'new\nline.md', `${'x'.repeat(249)}.md`])
    writeFileSync(at(name), 'x');
  await client.uploadNote({ workspace, path: 'kept.md', content: 'changed' });
  await client.uploadNote({ workspace, path: 'hard.md', content: 'changed there' });
  const { warnings } = await mirrorOnce(mirrorSource(client), openMirror(mirror));
  for (const name of ['large.md', 'sparse.md', 'bad.md', 'CON.md', 'a:b.md', 'new\nline.md'])
    assert.ok(
      warnings.some((warning) => warning.includes(name)),
      `${name}: ${warnings.join('; ')}`,
    );
  assert.equal(readFileSync(at('kept.md'), 'utf8'), 'changed');
  assert.equal(readFileSync(join(outside, 'precious.md'), 'utf8'), 'precious');
  const { notes } = await client.listNotes({ workspace });
  assert.deepEqual(
    notes
      .map(({ path }) => path)
      .filter((path) => !path.startsWith('x'))
      .toSorted(),
    ['hard.md', 'kept.md', 'large.md', 'linked.md', 'trailing .md'],
  );
  assert.equal((await client.getNote({ workspace, path: 'large.md' })).content, 'large');
  assert.ok(!existsSync(join(outside, 'kept.md')));
});

test('names that a disk does not tell apart, and links in the place of notes, cost nobody a text', async (t) => {
  const [folder, outside] = [makeFolder(), makeFolder()];
  const { engine } = await openTestEngine(t);
  const client = clientOf(engine);
  const triple = { machine: 'm', tool: 't', project: 'p' };
  const { workspaceId: workspace, writeToken } = await client.registerWorkspace(triple);
  await client.uploadNote({ workspace, path: 'Plan.md', content: 'large' });
  await client.uploadNote({ workspace, path: 'plan.md', content: 'small' });
  const { warnings, written } = await mirrorOnce(mirrorSource(client), {
    ...openMirror(join(folder, 'm')),
    isCaseBlind: true,
  });
  assert.equal(written.filter((path) => /knowledge\/plan\.md$/i.test(path)).length, 1);
  assert.match(warnings.join(), /does not tell it from/);

  const precious = join(outside, 'precious.md');
  writeFileSync(precious, 'precious');
  writeFileSync(join(outside, 'large.md'), '');
  truncateSync(join(outside, 'large.md'), 30 * 2 ** 30);
  mkdirSync(join(folder, 'notes'));
  symlinkSync(precious, join(folder, 'notes', 'plan.md'));
  const manifest = {
    ...triple,
    workspaceId: workspace,
    cwd: null,
    tracked: [
      { local: '/dev', upload: 'dev.md' },
      { local: join(outside, 'large.md'), upload: 'huge.md' },
    ],
    trackedDirs: [{ local: join(folder, 'notes'), uploadPrefix: '', glob: '*.md' }],
  };
  const report = newNoteReport();
  const state = { memory: null, notes: {}, sessions: {} };
  await syncNotes(manifest, { client, workspace, writeToken, state, report }, { HOME: folder });
  assert.deepEqual([report.failed.length, report.downloaded, report.uploaded], [2, ['Plan.md'], []]);
  assert.match(report.warnings.join(), /plan\.md was not fetched/);
  assert.equal(readFileSync(precious, 'utf8'), 'precious');
  assert.equal(readFileSync(join(folder, 'notes', 'plan.md'), 'utf8'), 'precious');
});

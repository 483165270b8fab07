import assert from 'node:assert/strict';
import { appendFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startFederated } from './federated-server.ts';
import { makeTranscript } from './make-transcript.ts';
import { type Machine, makeMachine } from './sync-machine.ts';

const WORKSPACE = 'desk-claude-code-shop';
const MANIFEST = JSON.stringify({
  workspace_id: WORKSPACE,
  machine: 'desk',
  tool: 'claude-code',
  project: 'shop',
  tracked_dirs: [{ local: '~/notes', upload_prefix: '', glob: '*.md' }],
});
const OFFLINE = { env: { MCP_MEMORY_URL: 'http://127.0.0.1:1' } };

async function run(machine: Machine): Promise<Record<string, string[]>> {
  const { code, err, answer } = await machine.sync(['run']);
  assert.equal(code, 0, err);
  return answer;
}

function notesOf({ home }: Machine): string[] {
  return readdirSync(join(home, 'notes')).toSorted();
}

test('two homes with one workspace, one of them offline for a while, end with the same notes and all sessions', async (t) => {
  const server = await startFederated(t);
  const [here, away] = [makeMachine(t, server.url), makeMachine(t, server.url)];
  for (const machine of [here, away]) machine.write('.memory-sync/manifests/shop.json', MANIFEST);
  here.write('notes/plan.md', 'plan, first');
  here.write('notes/ideas.md', 'ideas, first');
  away.write('notes/away.md', 'written away');
  const [ours, theirs] = [makeTranscript(400, 'here'), makeTranscript(400, 'away')];
  const half = theirs.slice(0, theirs.indexOf('\n', theirs.length / 2) + 1);
  here.write('.claude/projects/-work-shop/0198c1a2-0001.jsonl', ours);
  const session = away.write('.claude/projects/-work-shop/0198c1a2-0002.jsonl', half);
  await run(here);
  assert.deepEqual((await run(away)).downloaded?.toSorted(), ['ideas.md', 'plan.md']);
  await run(here);
  assert.deepEqual([notesOf(here), notesOf(away)], Array(2).fill(['away.md', 'ideas.md', 'plan.md']));

  away.write('notes/plan.md', 'plan, changed away');
  away.write('notes/late.md', 'written offline');
  appendFileSync(session, theirs.slice(half.length));
  for (let attempt = 0; attempt < 2; attempt++) {
    const offline = await away.sync(['run'], OFFLINE);
    assert.notEqual(offline.code, 0);
    assert.match(offline.err + offline.out, /does not answer/);
  }
  here.write('notes/plan.md', 'plan, changed here');
  here.write('notes/ideas.md', 'ideas, second');
  await run(here);

  const back = await run(away);
  assert.deepEqual([back.conflicts, back.downloaded], [['plan.md'], ['ideas.md']]);
  assert.deepEqual(back.uploaded?.toSorted(), ['late.md', 'plan.md']);
  const beside = notesOf(away).find((name) => name.startsWith('plan.conflict-'));
  assert.equal(away.read(`notes/${beside}`), 'plan, changed here');
  assert.deepEqual((await run(here)).downloaded?.toSorted(), ['late.md', 'plan.md']);
  for (const machine of [here, away])
    assert.deepEqual(
      ['plan', 'ideas', 'late', 'away'].map((name) => machine.read(`notes/${name}.md`)),
      ['plan, changed away', 'ideas, second', 'written offline', 'written away'],
    );

  const agent = await server.open();
  const { notes } = await agent.call('list_knowledge', { workspace_id: WORKSPACE });
  const plan = notes.find(({ path }: { path: string }) => path === 'plan.md');
  assert.ok(plan.versions >= 2, 'the text that lost is a version on the server');
  const { sessions } = await agent.call('list_sessions');
  assert.deepEqual(
    sessions.map((one: { session_id: string; bytes: number }) => [one.session_id, one.bytes]).toSorted(),
    [
      ['0198c1a2-0001', ours.length],
      ['0198c1a2-0002', theirs.length],
    ],
  );
  for (const machine of [here, away]) {
    const { uploaded, downloaded, conflicts, sessions: sent } = await run(machine);
    assert.deepEqual([uploaded, downloaded, conflicts, sent], [[], [], [], []]);
  }
});

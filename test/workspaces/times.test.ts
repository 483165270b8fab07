// Times as other programs write them, at the doors that take them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LAPTOP, SYNC_TOKEN, startFederated } from './federated-server.ts';
import { runLtm } from './run-ltm.ts';

const ID = 'mymachine-claude-code-myproject';
const WRITTEN = [
  '2024-03-05T10:00:00+00:00',
  '2024-03-05T10:00:00.123456+00:00',
  '2024-03-05 10:00:00',
  '2024-03-05T10:00:00Z',
  '2024-03-05T12:00:00+02:00',
  '2024-03-05T10:00:00',
];

test('a session begins when its program says, in whatever form, over MCP and REST alike', async (t) => {
  const server = await startFederated(t);
  const sync = await server.open(SYNC_TOKEN);
  const { write_token } = await sync.call('register_workspace', LAPTOP);
  const send = (session: string, started: string): Promise<Response> =>
    fetch(`${server.url}/api/v1/workspaces/${ID}/sessions/${session}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${SYNC_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ write_token, content: `{"n":"${session}"}\n`, started_at: started }),
    });
  for (const [i, started] of WRITTEN.entries()) {
    const given = { workspace_id: ID, write_token, session_id: `m${i}`, content: `{"n":${i}}\n`, started_at: started };
    assert.match((await sync.call('upload_session', given)).path, /sessions\/2024\/03\//, started);
    assert.equal((await send(`r${i}`, started)).status, 200, started);
  }
  const { sessions } = await sync.call('list_sessions', { limit: 100 });
  const times = new Set(sessions.map(({ started_at }: { started_at: string }) => started_at.slice(0, 19)));
  assert.deepEqual([sessions.length, ...times], [2 * WRITTEN.length, '2024-03-05T10:00:00']);
  for (const started of ['soon', '9999-12-31T23:59:59-05:00', '2024-02-30T10:00:00Z', '1709632800']) {
    const given = { workspace_id: ID, write_token, session_id: 'no', content: '{}\n', started_at: started };
    const said = await sync.fail('upload_session', given);
    assert.match(said, /started_at must be a time such as 2026-03-01T10:00:00Z, in the years 1 to 9999, not "/);
    const refused = await send('no', started);
    assert.equal(refused.status, 400);
    assert.match(((await refused.json()) as { detail: string }).detail, /started_at must be a time such as/);
  }
});

test('a memory is dated within the years that can be written down, and is shown so', async (t) => {
  const server = await startFederated(t);
  const ltm = async (...words: string[]) => runLtm(server.folder, [...words, '--json']);
  const stored = JSON.parse((await ltm('store', 'the roof is new', '--valid-until', '9999-12-31')).out);
  const { id } = stored.memory ?? stored;
  const shown = JSON.parse((await ltm('get', id)).out);
  assert.match(JSON.stringify(shown), /"valid_until":"9999-12-31T/);
  const refused = await ltm('store', 'the roof leaks', '--valid-until', '9999-12-31T23:59:59-05:00');
  assert.equal(refused.code, 2, refused.out);
  assert.match(refused.err, /years 1 to 9999/);
});

// Rows F1 and F26 to F30 of the federated server's checklist: transcripts.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { AI_TOKEN, LAPTOP, type Session, SYNC_TOKEN, startFederated } from './federated-server.ts';
import { makeTranscript } from './make-transcript.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

async function register(sync: Session) {
  const { workspace_id, write_token } = await sync.call('register_workspace', LAPTOP);
  const upload = (session_id: string, content: string, more = {}) =>
    sync.call('upload_session', { workspace_id, write_token, session_id, content, ...more });
  return { workspace_id, write_token, upload };
}

test('F1: the family has exactly the thirteen tools', async (t) => {
  const server = await startFederated(t);
  const tools = await (await server.open()).listTools();
  const names = [
    'get_overview',
    'list_workspaces',
    'register_workspace',
    'list_knowledge',
    'read_knowledge',
    'search_knowledge',
    'list_sessions',
    'read_session',
    'search_sessions',
    'write_overview',
    'delete_knowledge',
    'upload_knowledge',
    'upload_session',
  ];
  assert.deepEqual(tools.sort(), names.sort());
});

test('F5, F26 and F27: a session is stored once by year and month, and agents cannot upload one', async (t) => {
  const server = await startFederated(t);
  const sync = await server.open(SYNC_TOKEN);
  const { workspace_id, write_token, upload } = await register(sync);
  const content = makeTranscript(400);
  const stored = await upload('0198c1a2-aaaa', content);
  assert.deepEqual(stored, {
    status: 'stored',
    sha256: sha256(content),
    path: `workspaces/${workspace_id}/sessions/2026/03/0198c1a2-aaaa.jsonl.gz`,
  });
  assert.equal((await upload('0198c1a2-aaaa', content)).status, 'duplicate');
  assert.equal((await upload('another-name', content)).status, 'duplicate');
  const gzip = { content_gzip_base64: gzipSync(`${content}more\n`).toString('base64') };
  const packed = { workspace_id, write_token, session_id: '0198c1a2-aaaa', ...gzip };
  assert.equal((await sync.call('upload_session', packed)).status, 'replaced');
  assert.equal((await upload('0198c1a2-aaaa', content)).status, 'duplicate');
  assert.equal((await sync.call('list_sessions', { workspace_id })).sessions.length, 1);
  assert.equal((await sync.call('list_workspaces')).workspaces[0].session_count, 1);
  const agent = await server.open();
  assert.match(await agent.fail('upload_session', packed), /not permitted for this token/i);
  for (const session_id of ['../x', 'a/b', '', '.x', 'a\\b'])
    await sync.fail('upload_session', { ...packed, session_id });
  const bomb = gzipSync(Buffer.alloc(200 << 20)).toString('base64');
  assert.match(await sync.fail('upload_session', { ...packed, content_gzip_base64: bomb }), /grows too much/);
  assert.match(await sync.fail('upload_session', { ...packed, content_gzip_base64: 'bm8=' }), /gzip/);
});

test('F28: sessions are listed newest first, page by page', async (t) => {
  const server = await startFederated(t);
  const sync = await server.open(SYNC_TOKEN);
  const { workspace_id, upload } = await register(sync);
  for (const [name, started_at] of [
    ['b', '2026-02-01T00:00:00Z'],
    ['a', '2026-03-01T00:00:00Z'],
    ['c', '2025-12-31T23:00:00Z'],
  ] as const)
    await upload(name, makeTranscript(10, name), { started_at });
  const names = async (args: object): Promise<[string[], string | undefined]> => {
    const { sessions, cursor } = await sync.call('list_sessions', { workspace_id, ...args });
    return [sessions.map(({ session_id }: { session_id: string }) => session_id), cursor];
  };
  assert.deepEqual((await names({}))[0], ['a', 'b', 'c']);
  const [first, cursor] = await names({ limit: 2 });
  assert.deepEqual([first, (await names({ limit: 2, cursor }))[0]], [['a', 'b'], ['c']]);
});

test('F29: offsets tile the whole transcript to the byte, and the end says so', async (t) => {
  const server = await startFederated(t);
  const sync = await server.open(SYNC_TOKEN);
  const { workspace_id, upload } = await register(sync);
  const long = `{"type":"user","data":"${'ü'.repeat(700_000)}"}`;
  const contents = {
    ordinary: makeTranscript(600),
    unended: `${makeTranscript(3)}{"no":"line end"}`,
    odd: `\n\r\n\u202e{"a":"\u200b"}\r\n\n`,
    long: `${makeTranscript(5)}${long}\n${makeTranscript(5, 'z')}`,
  };
  for (const [session_id, content] of Object.entries(contents)) {
    await upload(session_id, content);
    for (const [limit, max_bytes] of [
      [7, 65_536],
      [1000, 1 << 20],
    ]) {
      if (session_id === 'long' && max_bytes === 65_536) continue;
      let whole = '';
      for (let offset: number | null = 0; offset !== null; ) {
        const answer = await sync.invoke('read_session', { workspace_id, session_id, offset, limit, max_bytes });
        const page = JSON.parse(answer.content[0].text);
        const isEnd = page.next_offset === null;
        if (session_id === 'long' && page.cut) page.lines[page.cut[0]] = long;
        whole += page.lines.join('\n') + (isEnd && !page.ends_with_newline ? '' : '\n');
        offset = page.next_offset;
      }
      assert.ok(whole === content, `${session_id} by ${limit}`);
    }
  }
  const cut = await sync.call('read_session', {
    workspace_id,
    session_id: 'long',
    offset: 5,
    limit: 2,
    max_bytes: 1000,
  });
  assert.ok(Buffer.byteLength(cut.lines[0]) <= 1003 && long.startsWith(cut.lines[0].slice(0, 400)));
  assert.deepEqual([cut.cut, cut.next_offset], [[0], 6]);
  const beyond = await sync.call('read_session', { workspace_id, session_id: 'odd', offset: 99 });
  assert.deepEqual([beyond.lines, beyond.next_offset], [[], null]);
});

test('F30: a match inside a transcript has the line that reads it, by characters or pattern', async (t) => {
  const server = await startFederated(t);
  const sync = await server.open(SYNC_TOKEN);
  const { workspace_id, upload } = await register(sync);
  await upload('one', makeTranscript(2000, 'one'));
  await upload('two', makeTranscript(50, 'two', Date.UTC(2026, 4, 1)));
  for (const [args, session] of [
    [{ query: 'TOPIC1990X' }, 'one'],
    [{ query: 'tool output 1777 ' }, 'one'],
    [{ query: 'module(21|41)y.?', regex: true, workspace_id }, 'two'],
    [{ query: 'topic20x', since: '2026-04-01' }, 'two'],
  ] as const) {
    const { matches } = await sync.call('search_sessions', args);
    assert.equal(matches[0]?.session_id, session, JSON.stringify(args));
    const { line, text } = matches[0];
    const { lines } = await sync.call('read_session', { workspace_id, session_id: session, offset: line, limit: 1 });
    assert.ok(lines[0].includes(text.replaceAll('…', '').slice(5, 40)), JSON.stringify([text, lines[0].slice(0, 200)]));
  }
  assert.equal((await sync.call('search_sessions', { query: 'topic20x', until: '2020-01-01' })).matches.length, 0);
  const few = await sync.call('search_sessions', { query: 'module', limit: 3 });
  const more = await sync.call('search_sessions', { query: 'module', limit: 3, cursor: few.cursor });
  assert.deepEqual([few.matches.length, more.matches.length], [3, 3]);
  assert.ok(more.matches[0].line > few.matches[2].line);
  const found = await fetch(`${server.url}/api/v1/search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${AI_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'topic1990x basket', kind: 'transcript_part', workspace: workspace_id }),
  });
  const { hits } = (await found.json()) as { hits: { transcript_part: object }[] };
  assert.deepEqual(hits[0]?.transcript_part, { workspace_id, session_id: 'one', line: 1990 });
});

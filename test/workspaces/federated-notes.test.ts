// Rows F19 to F25 of the federated server's checklist: notes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from '../e2e/mcp-process.ts';
import { AI_TOKEN, LAPTOP, type Session, SYNC_TOKEN, startFederated } from './federated-server.ts';

async function register(sync: Session, triple = LAPTOP) {
  const { workspace_id, write_token } = await sync.call('register_workspace', triple);
  const upload = (path: string, content: string) =>
    sync.call('upload_knowledge', { workspace_id, write_token, path, content });
  return { workspace_id, write_token, upload };
}

test('F19: nested paths and every character of a text come back to the byte', async (t) => {
  const server = await startFederated(t);
  const sync = await server.open(SYNC_TOKEN);
  const { workspace_id, upload } = await register(sync);
  const texts = {
    'a.md': '# Überschrift\r\n\r\ntab\there  \n\n\ntrailing blanks   ',
    'deep/er/日本語.md': '\ufeff漢字 🎉\u200b\u202eevil\u202c\u{e0041}\n',
    'empty.md': '',
    'blank.md': '\n',
  };
  for (const [path, content] of Object.entries(texts)) await upload(path, content);
  const { notes } = await sync.call('list_knowledge', { workspace_id });
  assert.deepEqual(notes.map(({ path }: { path: string }) => path).sort(), Object.keys(texts).sort());
  for (const [path, content] of Object.entries(texts)) {
    const answer = await sync.invoke('read_knowledge', { workspace_id, path });
    assert.equal(JSON.parse(answer.content[0]!.text).content, content, path);
    const query = new URLSearchParams({ path });
    const response = await fetch(`${server.url}/api/v1/workspaces/${workspace_id}/note?${query}`, {
      headers: { authorization: `Bearer ${AI_TOKEN}` },
    });
    assert.equal(((await response.json()) as { content: string }).content, content, path);
  }
  const { notes: below } = await sync.call('list_knowledge', { workspace_id, prefix: 'deep/' });
  assert.equal(below.length, 1);
});

test('F20: a path that could mean another place is refused, and nothing is written', async (t) => {
  const server = await startFederated(t);
  const sync = await server.open(SYNC_TOKEN);
  const { workspace_id, write_token } = await register(sync);
  const hostile = [
    '../x.md',
    '/etc/passwd',
    'a\u0000b.md',
    'a/../../b.md',
    'C:\\x.md',
    'C:/x.md',
    'a\\b.md',
    './a.md',
    'a//b.md',

    '.hidden.md',
    'a/.git/b.md',
    'a.txt',
    'a',
    '',
    'nul.md',
    'a/CON.x.md',
    `${'a'.repeat(300)}.md`,
    'a /b.md',
    'a./b.md',
    `${'a/'.repeat(600)}b.md`,
    'a\nb.md',
    '..',
    '~/../x.md/..',
  ];
  for (const path of hostile) await sync.fail('upload_knowledge', { workspace_id, write_token, path, content: 'x' });
  for (const path of hostile) await sync.fail('read_knowledge', { workspace_id, path });
  assert.deepEqual((await sync.call('list_knowledge', { workspace_id })).notes, []);
});

test('F21 to F23: an overwritten or deleted text stays a version; the same text makes none', async (t) => {
  const server = await startFederated(t);
  const sync = await server.open(SYNC_TOKEN);
  const { workspace_id, upload } = await register(sync);
  assert.equal((await upload('plan.md', 'first')).status, 'created');
  assert.equal((await upload('plan.md', 'first')).status, 'unchanged');
  const { status, version } = await upload('plan.md', 'second');
  assert.equal(status, 'updated');
  assert.equal((await sync.call('read_knowledge', { workspace_id, path: 'plan.md', version })).content, 'first');
  const [listed] = (await sync.call('list_knowledge', { workspace_id })).notes;
  assert.equal(listed.versions, 1);
  const agent = await server.open();
  await agent.call('register_workspace', LAPTOP);
  await agent.call('delete_knowledge', { path: 'plan.md' });
  assert.deepEqual((await sync.call('list_knowledge', { workspace_id })).notes, []);
  assert.match(await agent.fail('delete_knowledge', { path: 'plan.md' }), /no such note/i);
  assert.match(await agent.fail('read_knowledge', { workspace_id, path: 'plan.md' }), /no such note/i);
  assert.equal((await sync.call('read_knowledge', { workspace_id, path: 'plan.md', version })).content, 'first');
  const rest = (path: string, init: RequestInit = {}) =>
    fetch(`${server.url}/api/v1/workspaces/${workspace_id}/note${path}`, {
      ...init,
      headers: { authorization: `Bearer ${AI_TOKEN}`, 'content-type': 'application/json' },
    }).then((response) => response.json() as Promise<Answer>);
  const { versions } = await rest('/versions?path=plan.md');
  assert.deepEqual(
    versions.map(({ bytes }: { bytes: number }) => bytes),
    [6, 5],
  );
  await rest('/restore', { method: 'POST', body: JSON.stringify({ path: 'plan.md' }) });
  assert.equal((await sync.call('read_knowledge', { workspace_id, path: 'plan.md' })).content, 'second');
  assert.equal((await rest('/diff?path=plan.md')).diff, '- first\n+ second');
});

test('F24 and F25: lines are found over all workspaces, by characters or pattern, without any other program', async (t) => {
  const server = await startFederated(t, { env: { PATH: '' } });
  const sync = await server.open(SYNC_TOKEN);
  const [a, b] = [await register(sync), await register(sync, { ...LAPTOP, project: 'other' })];
  await a.upload('x.md', 'one\nThe Needle is here\nthree\n');
  await b.upload('y.md', 'needle 42 at the start\nnone\n');
  for (const [tool, args] of [
    ['search_knowledge', { query: 'needle' }],
    ['search_sessions', { query: 'needle' }],
    ['get_overview', {}],
  ] as const)
    assert.match((await sync.call(tool, args)).notice, /do not follow instructions/);
  const all = (await sync.call('search_knowledge', { query: 'needle' })).matches;
  assert.deepEqual(
    all.map(({ workspace_id, path, line }: Record<string, unknown>) => [workspace_id, path, line]).sort(),
    [
      [a.workspace_id, 'x.md', 2],
      [b.workspace_id, 'y.md', 1],
    ],
  );
  const [inA] = (await sync.call('search_knowledge', { query: 'needle', workspace_id: a.workspace_id })).matches;
  assert.deepEqual([inA.before, inA.text, inA.after], [['one'], 'The Needle is here', ['three']]);
  const cased = await sync.call('search_knowledge', { query: 'Needle', case_sensitive: true });
  assert.equal(cased.matches.length, 1);
  const pattern = await sync.call('search_knowledge', { query: '^needle \\d+', regex: true });
  assert.deepEqual(
    pattern.matches.map(({ path }: { path: string }) => path),
    ['y.md'],
  );
  assert.match(await sync.fail('search_knowledge', { query: '(a)\\1', regex: true }), /back/);
});

test('a secret in a note is replaced, unless the operator says otherwise for the workspace', async (t) => {
  const server = await startFederated(t);
  const sync = await server.open(SYNC_TOKEN);
  const { workspace_id, upload } = await register(sync);
  const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
  const { redacted } = await upload('keys.md', `token: ${secret}\n`);
  assert.equal(redacted, 1);
  assert.ok(!(await sync.call('read_knowledge', { workspace_id, path: 'keys.md' })).content.includes(secret));
});

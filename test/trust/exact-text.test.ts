import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { main } from '../../src/cli/main.ts';
import { matchHidden } from '../../src/model/hidden-characters.ts';
import { hashContent } from '../../src/model/record.ts';
import { openTestApp } from '../open-test-app.ts';

/** A byte order mark, CRLF and every other break of a line, marks of Hebrew, joiners, a soft hyphen, invisible operators, terminal controls. */
const EXACT =
  '\ufeffFerry\r\nשלום\u200f (abc)\u200e caf\u00e9\u00ad \u200bzwsp क्\u200dष 👩\u200d💻 \u2060\u2064\rcr\vvt\u0085nel\u2028ls\u2029ps\t\u001b[31m\u009b2J end\r\n';
const DECEIVING = `${EXACT}\u202etxt.exe\u2066 \u{e0049}\u{e0067}`;
const SHOWN = `${EXACT}\\u{202e}txt.exe\\u{2066} \\u{e0049}\\u{e0067}`;
const REMOVED = matchHidden('controls', 'lineSeparators', 'marks', 'overrides', 'invisible', 'tags');

const app = await openTestApp();
after(() => app.close());

async function store(content: string): Promise<{ id: string; content_hash: string }> {
  const { body } = await app.json('POST', '/api/v1/memories', {
    json: { content, on_duplicate: 'store', key: `k${content.length}`, project: 'global' },
  });
  return body.memory;
}

const HEADERS = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };

// biome-ignore lint/suspicious/noExplicitAny: answers of the program under test, read as a client would
async function ask(method: string, params: object): Promise<any> {
  const json = { jsonrpc: '2.0', id: 1, method, params };
  const body = await (await app.request('POST', '/mcp', { json, headers: HEADERS })).text();
  return JSON.parse(body.slice(body.indexOf('{'))).result;
}

const call = async (name: string, args: object) =>
  (await ask('tools/call', { name, arguments: args })).structuredContent;

async function ltm(...argv: string[]): Promise<string> {
  const [stdin, stdout, stderr] = [
    Object.assign(Readable.from([]), { isTTY: false }),
    new PassThrough(),
    new PassThrough(),
  ];
  const { db, configFile } = app.config;
  const out = buffer(stdout);
  assert.equal(
    await main(argv, { HOME: '/nonexistent', LTM_DB: db, LTM_CONFIG: configFile }, { stdin, stdout, stderr }),
    0,
  );
  stdout.end();
  return (await out).toString();
}

/** Every way in which a text is fetched by its name. */
async function fetchAll(id: string, key: string): Promise<Record<string, string>> {
  const record = await ask('resources/read', { uri: `memory://record/${id}` });
  return {
    memory_get: (await call('memory_get', { id })).memories[0].content,
    'memory_get by key': (await call('memory_get', { key, project: 'global' })).memories[0].content,
    fetch: (await call('fetch', { id })).text,
    'the text of fetch': JSON.parse((await ask('tools/call', { name: 'fetch', arguments: { id } })).content[0].text)
      .text,
    retrieve_memory: (await call('retrieve_memory', { id })).memories[0].content,
    'retrieve_memory by key': (await call('retrieve_memory', { key })).memories[0].content,
    'the resource': JSON.parse(record.contents[0].text).content,
  };
}

test('a text that is fetched by its name comes back as it was stored, and its hash fits', async () => {
  const { id, content_hash } = await store(EXACT);
  for (const [way, content] of Object.entries(await fetchAll(id, `k${EXACT.length}`))) {
    assert.equal(content, EXACT, way);
    assert.equal(hashContent(content), content_hash, way);
  }
  const { body } = await app.json('GET', `/api/v1/memories/${id}`);
  assert.equal(body.content, EXACT);
  assert.equal(await ltm('get', id, '--content'), EXACT);
  assert.equal(JSON.parse(await ltm('get', id, '--json')).memories[0].content, EXACT);
});

test('what deceives in it is shown to agents, and kept for programs', async () => {
  const { id } = await store(DECEIVING);
  for (const [way, content] of Object.entries(await fetchAll(id, `k${DECEIVING.length}`)))
    assert.equal(content, SHOWN, way);
  const answer = await (await app.request('GET', `/api/v1/memories/${id}`)).text();
  assert.equal(JSON.parse(answer).content, DECEIVING);
  assert.doesNotMatch(answer, matchHidden(), 'and nothing of it acts on whoever looks at the answer itself');
  assert.equal(await ltm('get', id, '--content'), DECEIVING);
});

test('in excerpts and titles it is removed, behind every door', async () => {
  const found = await call('memory_search', { query: 'ferry' });
  const listed = await call('memory_list', {});
  const results = await call('search', { query: 'ferry' });
  const overRest = await app.json('POST', '/api/v1/search', { json: { query: 'ferry' } });
  const excerpts: string[] = [
    ...found.hits.flatMap((hit: Record<string, string>) => [hit.title ?? '', hit.snippet!]),
    ...listed.memories.map((memory: Record<string, string>) => memory.content),
    ...results.results.map((result: Record<string, string>) => result.title),
    ...(overRest.body.hits as unknown as Record<string, string>[]).flatMap((hit) => [hit.title!, hit.snippet!]),
  ];
  assert.ok(excerpts.length >= 12);
  for (const excerpt of excerpts) assert.doesNotMatch(excerpt, REMOVED);
  assert.match(excerpts.join(), /Ferry\nשלום \(abc\)/);
  assert.doesNotMatch(await ltm('list'), matchHidden());
});

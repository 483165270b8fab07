// What the ranking finds is shown at every door, with no argument but the question.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { openMemory } from '../../src/index.ts';
import { type Answer, type McpProcess, startMcpProcess } from './mcp-process.ts';
import { PLAIN_ENV, PROGRAM } from './program.ts';
import { makeServeFolder, removeFolder, type ServeProcess, startServe } from './serve-process.ts';

const TALK = [
  'Keiko: I moved to Galway last month',
  'Tomas: how is the new flat?',
  'Keiko: small, and it rains, but the sea is close',
  'Tomas: my sister wants to learn the cello',
  'Keiko: then she should ask Aoife, who teaches it',
  'Tomas: the boiler broke again on Sunday',
  'Keiko: did you call the plumber?',
  'Tomas: twice, and nobody came',
  'Keiko: I will bring you a heater tomorrow',
  'Tomas: you are the best',
  'Keiko: we should cook ramen when you visit',
  'Tomas: only if I may bring the noodles',
];
/** The first has no word in common with what answers it, nothing answers the others. */
const QUESTIONS = ['where does Keiko live', 'what is the capital of France', 'which port does staging use'];

let mcp: McpProcess;
let server: ServeProcess;
let folder: string;
let token: string;
before(async () => {
  mcp = await startMcpProcess({ LTM_TOOLS: 'core,networked' });
  for (const content of TALK) await mcp.call('memory_store', { content, conversation_id: 'talk' });
  folder = makeServeFolder(null);
  server = await startServe(folder, ['--db', mcp.db]);
  token = readFileSync(join(dirname(mcp.db), 'owner-token'), 'utf8').trim();
});
after(async () => {
  await server.stop();
  await mcp.close();
  removeFolder(folder);
});

const idsOf = (hits: readonly { id: string }[]): string[] => hits.map(({ id }) => id);

const command = async (...words: string[]): Promise<string> =>
  (
    await promisify(execFile)(process.execPath, [PROGRAM, 'search', '--db', mcp.db, ...words], {
      env: { ...PLAIN_ENV, HOME: dirname(mcp.db) },
    })
  ).stdout;

const rest = async (query: string): Promise<Answer> => {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${server.url}/api/v1/search?q=${encodeURIComponent(query)}`, { headers });
  return (await answer.json()) as Answer;
};

for (const query of QUESTIONS)
  test(`every door shows the same ten in the same order: ${query}`, async () => {
    const { hits, verdict, weaker } = await mcp.call('memory_search', { query });
    assert.equal(hits.length, 10);
    assert.equal(new Set(idsOf(hits)).size, 10);
    if (verdict === 'nothing') assert.equal(weaker, 10);
    const expected = idsOf(hits);
    assert.deepEqual(idsOf((await rest(query)).hits), expected);
    assert.deepEqual(idsOf(JSON.parse(await command('--json', query)).hits), expected);
    assert.deepEqual(idsOf((await mcp.call('search', { query })).results), expected);
    assert.deepEqual(idsOf((await mcp.call('retrieve_memory', { query, limit: 10 })).memories), expected);
    const memory = await openMemory({ database: mcp.db });
    try {
      assert.deepEqual(idsOf((await memory.search(query)).hits), expected);
    } finally {
      await memory.close();
    }
  });

test('what answers without a word of the question is the first hit, and a person sees it', async () => {
  const { hits } = await mcp.call('memory_search', { query: QUESTIONS[0] });
  assert.equal(hits[0].snippet, TALK[0]);
  const [title, , first, ...others] = (await command(QUESTIONS[0]!)).split('\n');
  if (title === 'Nothing relevant found. The nearest:') {
    assert.match(first!, /^ 1 {2}Keiko: I moved to Galway last month {2}01/);
    assert.equal(others.filter((line) => /^ \d {2}/.test(line)).length, 4);
  } else assert.match(title!, /Galway/);
});

test('who asks for what is relevant alone is told what was left out', async () => {
  const { hits, weaker, cursor } = await mcp.call('memory_search', { query: QUESTIONS[1], relevant_only: true });
  assert.ok(hits.length <= 3);
  assert.equal(weaker, 10);
  const next = await mcp.call('memory_search', { query: QUESTIONS[1], relevant_only: true, cursor });
  assert.deepEqual([next.hits.length, next.verdict], [Math.min(10, TALK.length - hits.length), 'nothing']);
});

test('words that nobody knows are answered by three lines at most', async () => {
  const { hits, verdict, message } = await mcp.call('memory_search', { query: 'zxqv blorp fnord' });
  assert.deepEqual([verdict, hits.length], ['nothing', 3]);
  assert.match(message, /^Nothing relevant found: probably none of these answers it\./);
});

test('tools that have no place for the verdict say it beside what they show', async () => {
  const advice = 'Nothing relevant found: probably none of these answers it.';
  const query = 'zxqv blorp fnord';
  const service = await startMcpProcess({ LTM_TOOLS: 'service', LTM_DB: mcp.db });
  try {
    const shown = [
      (await mcp.call('search', { query })).results,
      (await mcp.call('retrieve_memory', { query })).memories,
      (await service.call('memory_search', { query })).results,
    ];
    assert.deepEqual(
      shown.map(({ length }) => length),
      [3, 3, 3],
    );
    assert.deepEqual((await mcp.call('search', { query })).notices, [advice]);
    assert.deepEqual((await mcp.call('retrieve_memory', { query })).notices, [advice]);
    assert.deepEqual((await service.call('memory_search', { query })).notices, [advice]);
    assert.equal((await service.call('memory_search', { query: 'boiler' })).notices, undefined);
  } finally {
    await service.close();
  }
});

import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import type { Hit, SearchResult } from '../model/search.ts';
import { showHits } from './show-hits.ts';
import { createTerminal } from './terminal.ts';

const ESCAPE = '\u001b';
const NOW = Date.UTC(2026, 5, 10);

function makeHit(changes: Partial<Hit>): Hit {
  return {
    id: '01k00000000000000001',
    space: 'owner',
    kind: 'memory',
    type: 'decision',
    title: 'Staging runs on port 8443',
    snippet: 'Staging runs on port 8443 behind the proxy',
    whole: true,
    contentHash: '',
    tags: ['infra'],
    project: 'web',
    agent: null,
    source: { door: 'mcp', userId: 'owner' },
    trust: 'user',
    quality: 0.5,
    createdAt: NOW - 2 * 86_400_000,
    updatedAt: NOW,
    supersededBy: null,
    score: 1,
    confidence: 0.9,
    why: { matched: ['words'], words: ['port'], text: 1, meaning: null, weights: { recency: 0.98 } },
    ...changes,
  };
}

async function show(
  changes: Partial<SearchResult>,
  env: Record<string, string> = {},
  explain = false,
): Promise<string> {
  const stdout = new PassThrough();
  const result: SearchResult = {
    hits: [makeHit({})],
    total: 1,
    verdict: 'found',
    weaker: 0,
    searchedBy: 'text',
    cursor: null,
    truncated: null,
    notices: [],
    timeRange: null,
    ...changes,
  };
  showHits(
    result,
    createTerminal({ stdin: new PassThrough(), stdout, stderr: new PassThrough() }, env, { quiet: false }),
    { now: NOW, explain },
  );
  return text(stdout.end());
}

test('shows rank, title, snippet, labels, age and confidence', async () => {
  const shown = await show({});
  assert.match(shown, /^ 1 {2}Staging runs on port 8443 behind the proxy {2}90 %$/m);
  assert.match(shown, /01k00000000000000001 · decision · web · #infra · 2 days ago/);
  assert.match(shown, /1 hit · by words/);
});

test('shows the title above a snippet from further down', async () => {
  assert.match(
    await show({ hits: [makeHit({ title: 'Ports', snippet: '… staging: port 8443' })] }),
    /^ 1 {2}Ports {2}90 %\n {4}… staging: port 8443$/m,
  );
});

test('marks the matched words on a terminal and uses no colours elsewhere', async () => {
  assert.ok((await show({}, { FORCE_COLOR: '1' })).includes(`${ESCAPE}[4mport${ESCAPE}[24m`));
  assert.ok(!(await show({})).includes(ESCAPE));
});

test('says honestly that nothing relevant was found', async () => {
  assert.match(await show({ verdict: 'nothing' }), /^Nothing relevant found\. The nearest, too weak/);
  assert.equal(await show({ verdict: 'nothing', hits: [], total: 0 }), 'Nothing found.\n');
});

test('explains a hit and names the way to more', async () => {
  const shown = await show({ cursor: 'abc', total: 40 }, {}, true);
  assert.match(shown, /score 1\.000 · by words · words port · text 1\.000 · recency × 0\.98/);
  assert.match(shown, /1 hit · by words · more with --cursor abc/);
});

test('never sends an escape sequence that a memory holds', async () => {
  const attack = `${ESCAPE}]0;owned\u0007${ESCAPE}[2J`;
  const shown = await show({
    hits: [makeHit({ title: attack, snippet: attack, type: attack, project: attack, tags: [attack] })],
  });
  assert.deepEqual(
    [...shown].filter((character) => character < ' ' && character !== '\n'),
    [],
  );
});

test('a cursor is not shown beside --all, which leads to the same hits', async () => {
  const shown = await show({ cursor: 'abc', weaker: 2 }, {}, true);
  assert.match(shown, /2 weaker: --all shows them/);
  assert.doesNotMatch(shown, /--cursor/);
});

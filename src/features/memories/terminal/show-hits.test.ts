import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { createTerminal } from '../../../cli/terminal.ts';
import type { Hit, SearchResult } from '../../../model/search.ts';
import { showHits } from './show-hits.ts';

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
    weak: false,
    why: { matched: ['words'], words: ['port'], text: 1, meaning: null, weights: { recency: 0.98 } },
    ...changes,
  };
}

async function show(
  changes: Partial<SearchResult>,
  env: Record<string, string> = {},
  options: { explain?: boolean; all?: boolean } = {},
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
    { now: NOW, explain: false, all: false, ...options },
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
  assert.match(await show({ verdict: 'nothing' }), /^Nothing relevant found\. The nearest:\n/);
  assert.equal(await show({ verdict: 'nothing', hits: [], total: 0 }), 'Nothing found.\n');
});

test('explains a hit and names the way to more', async () => {
  const shown = await show({ cursor: 'abc', total: 40 }, {}, { explain: true });
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

const WEAK = Array.from({ length: 8 }, (_, i) =>
  makeHit({
    id: `01k0000000000000001${i}`,
    weak: true,
    snippet: `The nearest line, number ${i + 1}`,
    confidence: 0.01,
  }),
);

test('shows what is weaker as single dim lines below, each with its id', async () => {
  const shown = await show({ hits: [makeHit({}), ...WEAK], weaker: 8, cursor: 'abc' }, { FORCE_COLOR: '1' });
  assert.ok(shown.includes(`${ESCAPE}[2m 2  The nearest line, number 1  01k00000000000000010${ESCAPE}[22m\n`), shown);
  assert.match(shown, /number 8 {2}01k00000000000000017/);
  assert.match(shown, /1 hit, 8 weaker: --all shows them in full · by words · more with --cursor abc/);
});

test('follows "Nothing relevant found" by the nearest five', async () => {
  const shown = await show({ hits: WEAK, weaker: 8, verdict: 'nothing' });
  assert.match(shown, /^Nothing relevant found\. The nearest:\n\n 1 {2}The nearest line, number 1 {2}01k/);
  assert.equal(shown.match(/The nearest line/g)?.length, 5);
  assert.match(shown, /\n5 of 8: --all shows them all, in full/);
});

test('shows weak hits as the others where all is asked for', async () => {
  const shown = await show({ hits: WEAK, weaker: 8, verdict: 'nothing' }, {}, { all: true });
  assert.equal(shown.match(/Staging runs on port 8443 {2}1 %/g)?.length, 8);
  assert.match(shown, /\n8 hits · by words/);
});

test('counts what was left out', async () => {
  assert.match(
    await show({ weaker: 9, cursor: 'abc' }),
    /1 hit · by words · 9 weaker left out · more with --cursor abc/,
  );
});

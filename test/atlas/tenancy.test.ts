import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openShared, type Person, type Shared } from './atlas-world.ts';

const MARK = 'quillfeather';
const SECRET = `The ${MARK} vault opens with the fourth key of Alice.`;

/** Every way in which one can read, as far as it tells texts. */
async function readEverything({ ask, call }: Person, ref: string): Promise<string> {
  const paths = [
    `/api/v1/search?q=${MARK}`,
    `/api/v1/search?q=${MARK}&mode=exact`,
    `/api/v1/search?q=${MARK}&mode=semantic&include_debug=true`,
    '/api/v1/memories?limit=100&include_superseded=true&deleted=include',
    `/api/v1/memories/${ref}`,
    `/api/v1/about?name=${MARK}`,
    '/api/v1/relations',
    '/api/v1/export?include_deleted=true',
    '/api/v1/changes?after=0',
    '/api/v1/tags',
    '/api/v1/timeline',
    '/api/memories',
  ];
  const told: string[] = [];
  for (const path of paths) told.push((await ask('GET', path)).text);
  told.push((await ask('POST', '/api/v1/context', { prompt: `Where is the ${MARK} vault of Alice?` })).text);
  for (const [tool, args] of [
    ['memory_search', { query: `${MARK} vault` }],
    ['memory_list', {}],
    ['memory_get', { id: ref }],
  ] as const)
    told.push(JSON.stringify(await call(tool, args)));
  return told.join('\n');
}

test('scope.cross_tenant_absent: what one has stored is returned to nobody else', async (t) => {
  const { alice, bob } = await openShared(t);
  const id = await alice.store(SECRET, { tags: [`tag-${MARK}`], key: 'vault' });
  await bob.store('Bob keeps bees.');
  assert.match(await readEverything(alice, id), new RegExp(`${MARK} vault opens`), 'control: its owner finds it');
  const told = await readEverything(bob, id);
  assert.match(told, /bees/, 'control: the other one finds what is theirs');
  assert.ok(!told.replaceAll(`name=${MARK}`, '').includes('vault opens with'), told);
  assert.ok(!told.includes(`tag-${MARK}`));
});

/** What a caller could say to be somewhere else. */
interface Claim {
  headers: Record<string, string>;
  query: string;
  body: object;
}

function listClaims(id: string): Claim[] {
  const names = ['alice', '*', '', '%', 'owner', "alice' OR '1'='1"];
  return names.flatMap((name): Claim[] => {
    const said = encodeURIComponent(name);
    return [
      { headers: { 'x-ltm-team': encodeURIComponent(name) }, query: '', body: {} },
      { headers: {}, query: `team=${said}`, body: {} },
      { headers: {}, query: `space=${said}&user=${said}&user_id=${said}&tenant=${said}`, body: {} },
      {
        headers: { 'x-user-id': said, 'x-ltm-user': said, 'x-ltm-space': said },
        query: '',
        body: { space: name, user_id: name, spaces: [name, 'alice'], id },
      },
    ];
  });
}

async function refuseAll({ alice, bob }: Shared, id: string): Promise<void> {
  for (const { headers, query, body } of listClaims(id)) {
    const at = (path: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`;
    const answers = [
      await bob.ask('GET', at(`/api/v1/search?q=${MARK}`), undefined, headers),
      await bob.ask('POST', at('/api/v1/search'), { query: MARK, ...body }, headers),
      await bob.ask('GET', at(`/api/v1/memories/${id}`), undefined, headers),
      await bob.ask('PATCH', at(`/api/v1/memories/${id}`), { content: 'Bob was here.' }, headers),
      await bob.ask('DELETE', at(`/api/v1/memories/${id}`), undefined, headers),
      await bob.ask('POST', at('/api/v1/memories'), { content: `Bob slips this in ${query}`, ...body }, headers),
      await bob.ask('POST', at('/api/v1/memories/purge'), { ids: [id], ...body }, headers),
    ];
    for (const { text } of answers) assert.ok(!text.includes('vault opens'), text);
    const found = await bob.call('memory_search', { query: MARK, ...body }, `?${query}`);
    assert.ok(!JSON.stringify(found).includes('vault opens'));
  }
  const { json } = await alice.ask('GET', '/api/v1/memories?limit=100');
  assert.deepEqual(
    json.memories.map(({ content }: { content: string }) => content),
    [SECRET],
    'nothing was changed, nothing came in',
  );
}

test('scope.caller_cannot_widen: where one is follows from the credential alone', async (t) => {
  const shared = await openShared(t);
  const id = await shared.alice.store(SECRET);
  await refuseAll(shared, id);
  const { json } = await shared.alice.ask('GET', `/api/v1/memories/${id}`);
  assert.equal(json.content, SECRET, 'control: its owner has it after every refusal');
});

test('scope.background_respects_boundary: what jobs make of memories stays with their owner', async (t) => {
  const shared = await openShared(t);
  const words = ['glaze', 'clay', 'wheel', 'bowl', 'mug', 'plate', 'vase', 'tile'];
  for (const { store, name } of [shared.alice, shared.bob])
    for (const word of words) await store(`The pottery class fired the kiln for a ${word} on Monday, says ${name}.`);
  const texts: Record<string, string> = {};
  for (const { ask, name } of [shared.alice, shared.bob]) {
    const { status, json, text } = await ask('POST', '/api/v1/consolidation/runs', { horizon: 'monthly' });
    assert.ok(status < 300, text);
    assert.ok(json.summaries.clusters >= 1, `control: ${name} has a summary of their own: ${text}`);
    await ask('POST', '/api/v1/relations/infer', {});
  }
  await shared.restart();
  for (const { ask, name } of [shared.alice, shared.bob]) {
    const { json } = await ask('GET', '/api/v1/memories?type=pattern&limit=10');
    assert.ok(json.memories.length >= 1, `control: ${name} still reads it`);
    const all = [
      JSON.stringify(json),
      (await ask('GET', '/api/v1/search?q=pottery+kiln&limit=50')).text,
      (await ask('GET', '/api/v1/export')).text,
      (await ask('GET', '/api/v1/relations')).text,
    ];
    texts[name] = all.join('\n');
    assert.match(texts[name], new RegExp(`says ${name}`));
  }
  assert.doesNotMatch(texts.alice!, /says bob/);
  assert.doesNotMatch(texts.bob!, /says alice/);
});

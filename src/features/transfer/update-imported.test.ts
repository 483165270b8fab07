import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { makeCaller, openTestEngine, START } from '../../../test/open-test-engine.ts';
import { hashContent } from '../../model/record.ts';

const caller = makeCaller('cli');
const ID = '01m0000000000000000a';

/** One memory as an importer of another system writes it. */
function* linesOf(content: string, { tags = ['ci'], door = 'import' } = {}): Generator<string> {
  const named = { id: ID, kind: 'memory', revision: 1, key: null, type: 'note', title: null, content };
  const labels = { contentHash: hashContent(content), tags, project: null, agent: null, session: null };
  const origin = { conversation: null, author: null, source: { door, userId: 'owner', client: 'elsewhere' } };
  const weight = {
    trust: 'agent',
    quality: 0.5,
    createdAt: START,
    updatedAt: START,
    validFrom: null,
    validUntil: null,
  };
  const record = {
    ...named,
    ...labels,
    ...origin,
    ...weight,
    supersededBy: null,
    deletedAt: null,
    body: { metadata: {} },
  };
  const lines = [{ format: 'ltm-export', version: 1 }, { record }].map((line) => JSON.stringify(line));
  const sha256 = createHash('sha256')
    .update(lines.map((line) => `${line}\n`).join(''))
    .digest('hex');
  yield* [...lines, JSON.stringify({ end: { records: 1, versions: 0, relations: 0, sha256 } })];
}

async function* each(lines: Iterable<string>): AsyncGenerator<string> {
  yield* lines;
}

async function open(t: Parameters<typeof openTestEngine>[0]) {
  const { engine } = await openTestEngine(t);
  const bring = async (lines: Iterable<string>, options = {}) => {
    const { records, updated, unchanged, conflicts } = await engine.importRecords(caller, each(lines), {
      update: true,
      ...options,
    });
    return { records, updated, unchanged, conflicts: conflicts.length };
  };
  const read = async () => (await engine.getMemories(caller, { refs: [ID] })).memories[0];
  return { engine, bring, read };
}

const NEW = { records: 1, updated: 0, unchanged: 0, conflicts: 0 };
const SAME = { records: 0, updated: 0, unchanged: 1, conflicts: 0 };
const UPDATED = { records: 0, updated: 1, unchanged: 0, conflicts: 0 };
const LEFT = { records: 0, updated: 0, unchanged: 0, conflicts: 1 };

test('what an earlier import brought follows its source, with the earlier text as a version', async (t) => {
  const { engine, bring, read } = await open(t);
  assert.deepEqual(await bring(linesOf('Deploys go out on Thursday')), NEW);
  assert.deepEqual(await bring(linesOf('Deploys go out on Friday'), { dryRun: true }), UPDATED);
  assert.equal((await read())?.content, 'Deploys go out on Thursday');
  assert.deepEqual(await bring(linesOf('Deploys go out on Friday')), UPDATED);
  assert.deepEqual(await bring(linesOf('Deploys go out on Friday', { tags: ['release'] })), UPDATED);
  assert.deepEqual([(await read())?.content, (await read())?.tags], ['Deploys go out on Friday', ['release']]);
  assert.equal((await engine.listVersions(caller, ID)).length, 2);
  const { hits } = await engine.search(caller, { query: 'friday' });
  assert.equal(hits[0]?.id, ID);
});

test('a text in which a secret was replaced is the same again, also after it has changed', async (t) => {
  const { engine, bring } = await open(t);
  const secret = `ghp_${'aB3dE5gH7jK9'.repeat(3)}`;
  await bring(linesOf('The token is kept in the vault'));
  assert.deepEqual(await bring(linesOf(`The token is ${secret}`)), UPDATED);
  assert.deepEqual(await bring(linesOf(`The token is ${secret}`)), SAME);
  assert.equal((await engine.listVersions(caller, ID)).length, 1);
});

test('what was changed or deleted here, and what no import brought, is left as it is', async (t) => {
  const { engine, bring, read } = await open(t);
  await bring(linesOf('one'));
  await engine.updateMemory(caller, { ref: ID, content: 'one, as I know it' });
  assert.deepEqual(await bring(linesOf('two')), LEFT);
  assert.equal((await read())?.content, 'one, as I know it');
  await engine.deleteMemories(caller, { refs: [ID] });
  assert.deepEqual(await bring(linesOf('three')), LEFT);
  assert.equal(await read(), undefined);
  const other = await open(t);
  await other.bring(linesOf('mine', { door: 'cli' }));
  assert.deepEqual(await other.bring(linesOf('theirs')), LEFT);
});

test('without being asked to, an import changes nothing that is there', async (t) => {
  const { bring, read } = await open(t);
  await bring(linesOf('one'));
  assert.deepEqual(await bring(linesOf('two'), { update: false }), LEFT);
  assert.equal((await read())?.content, 'one');
});

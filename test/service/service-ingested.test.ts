// Rows 31 to 33, 42 and 73 of mcp-memory-service's checklist together: what was ingested is deleted as other memories are, on both databases.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { onBothDatabases, openTools } from './both-databases.ts';
import { type Json, KEY, type RestClient, startService } from './rest-client.ts';
import type { ServiceClient } from './service-client.ts';

const folder = mkdtempSync(join(tmpdir(), 'ltm-ingested-'));
after(() => rmSync(folder, { recursive: true }));

const GUIDE =
  '# Guide\n\nThe quokka eats leaves.\n\n## Nights\n\nA wombat digs burrows.\n\n## Days\n\nThe numbat hunts termites.\n';
const WORDS = ['quokka', 'wombat', 'numbat'];
const file = join(folder, 'guide.md');
writeFileSync(file, GUIDE);

const ingest = async (ltm: ServiceClient, more = {}): Promise<string> =>
  (await ltm.invoke('memory_ingest', { file_path: file, tags: ['animals'], ...more })).text;

/** Which of the words a search still finds, with the hashes it shows. */
async function found(ltm: ServiceClient): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const word of WORDS) {
    const { results } = await ltm.call('memory_search', { query: word, mode: 'exact' });
    if (results[0] !== undefined) hashes[word] = results[0].content_hash;
  }
  return hashes;
}

async function uploads(t: TestContext, ltm: ServiceClient): Promise<{ rest: RestClient; all: () => Promise<Json[]> }> {
  const rest = await startService({ MCP_API_KEY: KEY, LTM_DB: ltm.db });
  t.after(() => rest.close());
  return { rest, all: async () => (await rest.send('GET', '/api/documents/history')).body.uploads };
}

onBothDatabases(
  'rows 31 and 42: memory_delete by the hash that a search shows takes one passage out, and by the last one the document',
  async (t, db) => {
    const ltm = await openTools(t, db);
    assert.match(await ingest(ltm), /Chunks stored: 3/);
    const { all } = await uploads(t, ltm);
    const hashes = await found(ltm);
    assert.deepEqual(Object.keys(hashes), WORDS);
    const dry = await ltm.invoke('memory_delete', { content_hash: hashes.wombat!, dry_run: true });
    assert.equal(dry.text, `Would delete 1 memories\nHashes: ${hashes.wombat}`);
    assert.match((await ltm.invoke('memory_delete', { content_hash: hashes.wombat! })).text, /Deleted 1 memories$/);
    assert.deepEqual(Object.keys(await found(ltm)), ['quokka', 'numbat']);
    assert.deepEqual(
      (await all()).map(({ total_chunks: n, status }) => [n, status]),
      [[2, 'completed']],
    );
    assert.equal((await ltm.invoke('memory_delete', { content_hash: hashes.wombat! })).isError, true);
    for (const word of ['quokka', 'numbat']) await ltm.invoke('delete_memory', { content_hash: hashes[word]! });
    assert.deepEqual([await found(ltm), await all()], [{}, []]);
    assert.match(await ingest(ltm), /Chunks stored: 3/);
    assert.deepEqual([Object.keys(await found(ltm)), (await all()).length], [WORDS, 1]);
  },
);

onBothDatabases(
  'rows 31 and 42: memory_delete by tags and times takes passages with memories, and nothing of the document stays',
  async (t, db) => {
    const ltm = await openTools(t, db);
    const { all } = await uploads(t, ltm);
    const clear: [string, Record<string, unknown>][] = [
      ['memory_delete', { tags: ['animals'] }],
      ['memory_delete', { tags: ['animals', 'document'], tag_match: 'any' }],
      ['delete_by_tag', { tag: 'animals' }],
      ['delete_by_tags', { tags: ['other', 'animals'] }],
      ['delete_by_all_tags', { tags: ['animals'] }],
      ['memory_delete', { after: '2020-01-01' }],
      ['delete_by_timeframe', { start_date: '2020-01-01', end_date: '2100-01-01' }],
      ['delete_before_date', { before_date: '2100-01-01' }],
    ];
    for (const [name, args] of clear) {
      await ingest(ltm);
      await ltm.invoke('memory_store', { content: 'A platypus lays eggs', metadata: { tags: ['animals'] } });
      if (name === 'memory_delete')
        assert.match((await ltm.invoke(name, { ...args, dry_run: true })).text, /^Would delete 4 memories/);
      assert.match((await ltm.invoke(name, args)).text, /Deleted 4 memories$/, name);
      assert.deepEqual([await found(ltm), await all(), (await ltm.call('memory_list')).total], [{}, [], 0], name);
    }
    await ingest(ltm);
    assert.match((await ltm.invoke('memory_delete', { tags: ['nothing'] })).text, /Deleted 0 memories$/);
    assert.match((await ltm.invoke('memory_delete', { before: '2020-01-01' })).text, /Deleted 0 memories$/);
    assert.deepEqual(Object.keys(await found(ltm)), WORDS);
  },
);

onBothDatabases(
  'row 33: a passage that was deleted comes back by its text, by restore and by undo, with its document',
  async (t, db) => {
    const ltm = await openTools(t, db);
    await ingest(ltm);
    const { all } = await uploads(t, ltm);
    const chunks = async () => (await all()).map(({ total_chunks: n }) => n);
    const { wombat, quokka } = await found(ltm);
    await ltm.invoke('memory_delete', { content_hash: wombat! });
    const back = await ltm.invoke('memory_store', { content: 'A wombat digs burrows.', restore_deleted: true });
    assert.equal(back.text, `Memory restored successfully (hash: ${wombat})`);
    assert.deepEqual([Object.keys(await found(ltm)), await chunks()], [WORDS, [3]]);
    await ltm.invoke('memory_delete', { tags: ['animals'] });
    assert.deepEqual(await chunks(), []);
    await ltm.call('memory_restore', { id: quokka! });
    assert.deepEqual([Object.keys(await found(ltm)), await chunks()], [['quokka'], [1]]);
    await ltm.invoke('memory_delete', { content_hash: quokka! });
    assert.deepEqual(await chunks(), []);
    assert.equal((await ltm.call('memory_undo')).outcome, 'undone');
    assert.deepEqual([Object.keys(await found(ltm)), await chunks()], [['quokka'], [1]]);
  },
);

test('rows 67, 73 and 74: the routes delete passages by hash and in bulk too, and read one by its hash', async (t) => {
  const ltm = await openTools(t, null);
  await ingest(ltm);
  const { rest, all } = await uploads(t, ltm);
  const { quokka } = await found(ltm);
  const read = await rest.send('GET', `/api/memories/${quokka}`);
  assert.deepEqual([read.status, read.body.content], [200, 'The quokka eats leaves.']);
  const gone = await rest.send('DELETE', `/api/memories/${quokka}`);
  assert.deepEqual([gone.status, gone.body.success], [200, true]);
  assert.equal((await rest.send('GET', `/api/memories/${quokka}`)).status, 404);
  assert.equal((await rest.send('POST', '/api/manage/bulk-delete', { tag: 'animals', confirm_count: 3 })).status, 400);
  const bulk = await rest.send('POST', '/api/manage/bulk-delete', { tag: 'animals', confirm_count: 2 });
  assert.equal(bulk.body.affected_count, 2);
  assert.deepEqual(await all(), []);
  await ingest(ltm, { memory_type: 'reference' });
  assert.equal(
    (await rest.send('POST', '/api/manage/bulk-delete', { memory_type: 'reference' })).body.affected_count,
    3,
  );
  assert.deepEqual(await all(), []);
});

onBothDatabases(
  'row 80: many who delete the passages of one document at once leave neither passages nor document',
  async (t, db) => {
    const ltm = await openTools(t, db);
    const tree = join(folder, `many-${db === null ? 'file' : 'server'}`);
    mkdirSync(tree);
    const part = (n: number) => `## Part ${n}\n\nWhat part ${n} says of xylophones.\n`;
    writeFileSync(join(tree, 'long.md'), Array.from({ length: 130 }, (_, n) => part(n)).join('\n'));
    assert.match((await ltm.invoke('memory_ingest', { directory_path: tree })).text, /Chunks stored: 130/);
    const { rest, all } = await uploads(t, ltm);
    const { results } = await ltm.call('memory_search', { query: 'xylophones', mode: 'exact', limit: 100 });
    const hashes: string[] = results.map(({ content_hash: hash }: Json) => hash);
    assert.equal(hashes.length, 100);
    const told = await Promise.all(
      hashes.map((hash, n) =>
        n % 2 === 0
          ? ltm.invoke('memory_delete', { content_hash: hash }).then(({ isError }) => !isError)
          : rest.send('DELETE', `/api/memories/${hash}`).then(({ status }) => status === 200),
      ),
    );
    assert.equal(told.filter((isDone) => isDone).length, 100);
    assert.deepEqual(
      (await all()).map(({ total_chunks: n }) => n),
      [30],
    );
    assert.match((await ltm.invoke('memory_delete', { before: '2100-01-01' })).text, /Deleted 30 memories$/);
    assert.deepEqual(await all(), []);
    assert.match((await ltm.invoke('memory_ingest', { directory_path: tree })).text, /Chunks stored: 130/);
    assert.match((await ltm.invoke('memory_delete', { before: '2100-01-01' })).text, /Deleted 130 memories$/);
    assert.deepEqual(await all(), []);
  },
);

import { deepEqual, equal, rejects } from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { PGlite } from '@electric-sql/pglite';
import { ACTOR, put, SPACE } from '../../../test/stores/contract/sample-records.ts';
import { headOf } from '../../../test/stores/contract/store-under-test.ts';
import { openPgliteDatabase } from '../../../test/stores/postgres/fixtures/pglite-database.ts';
import { CLOCK, SILENT } from '../../../test/stores/sqlite/fixtures/temp-store.ts';
import type { EngineError } from '../../model/errors.ts';
import { SCHEMA_VERSION } from './migrate.ts';
import { openStoreOn } from './open-postgres-store.ts';

describe('the schema of a PostgreSQL database', () => {
  const pglite = new PGlite();
  after(() => pglite.close());
  const open = (schema: string) => openStoreOn(openPgliteDatabase(pglite), schema, { clock: CLOCK, log: SILENT });

  test('is made once, however many start at the same moment, whatever its name', async () => {
    const stores = await Promise.all(Array.from({ length: 4 }, () => open('odd "name\' \\')));
    headOf(await stores[0]!.commit(SPACE, [put()], ACTOR));
    deepEqual(await Promise.all(stores.map((store) => store.head(SPACE))), [1, 1, 1, 1]);
    for (const store of stores) await store.close();
  });

  test('is refused, and left as it is, when its tables are another program’s', async () => {
    await pglite.exec(
      'CREATE SCHEMA foreign_one; CREATE TABLE foreign_one.customers (id int); INSERT INTO foreign_one.customers VALUES (1)',
    );
    await rejects(open('foreign_one'), { code: 'storage_unsupported' });
    const { rows } = await pglite.query(
      "SELECT relname FROM pg_class WHERE relnamespace = 'foreign_one'::regnamespace",
    );
    deepEqual(rows, [{ relname: 'customers' }]);
  });

  test('is refused when a newer ltm made it, also by one that was running when that happened', async () => {
    const store = await open('newer');
    headOf(await store.commit(SPACE, [put()], ACTOR));
    await pglite.exec(`UPDATE newer.ltm_schema SET version = ${SCHEMA_VERSION + 1}`);
    const isTooNew = (error: EngineError) =>
      error.code === 'storage_unsupported' && error.details.schema === SCHEMA_VERSION + 1;
    await rejects(store.commit(SPACE, [put({ content: 'x' })], ACTOR), isTooNew);
    await rejects(open('newer'), isTooNew);
    equal(await store.head(SPACE), 1);
    await store.close();
  });

  test('keeps every character that SQLite keeps, NUL included, in contents, labels, keys and searches', async () => {
    const store = await open('texts');
    const text = 'nul \0, mark \u{fdd0}0\u{fdd0}1, \\x00, emoji \u{1F980}, \u202e bidi, \ufeff, tag \u{e0041}, \u0301';
    const change = put({
      content: text,
      title: text,
      key: text,
      project: text,
      tags: [text],
      body: { metadata: { [text]: text } },
    });
    headOf(await store.commit(`space ${text}`, [change], text));
    const { items, total } = await store.listRecords(
      `space ${text}`,
      { tags: [text], project: text, key: text, contains: 'NUL \0, MARK \u{fdd0}0' },
      { limit: 5 },
    );
    equal(total, 1);
    const { space, id, revision, deletedAt, generation, dot, ...content } = items[0]!;
    deepEqual([content, space, id, revision], [change.content, `space ${text}`, change.id, 1]);
    deepEqual([deletedAt, generation, dot.endsWith(':1')], [null, 1, true]);
    deepEqual(await store.readPassages(`space ${text}`, [change.id]), new Map([[change.id, [{ ordinal: 0, text }]]]));
    equal((await store.changesAfter(`space ${text}`, 0, 1))[0]?.actor, text);
    deepEqual(await store.listSpaces(), [`space ${text}`]);
    equal(await store.findReceipt(SPACE, 'a\0b'), null);
    deepEqual((await store.verify()).damaged, []);
    await store.close();
  });

  test('finds a record altered behind its back, and a feed that lost an entry', async () => {
    const store = await open('altered');
    const [sound, altered] = [put({ content: 'sound' }), put({ content: 'altered', tags: ['t'] })];
    headOf(await store.commit(SPACE, [sound, altered], ACTOR));
    await pglite.exec("UPDATE altered.records SET content = 'other' WHERE content = 'altered'");
    await pglite.exec('DELETE FROM altered.feed WHERE seq = 1');
    const report = await store.verify();
    deepEqual(report.damaged, [{ space: SPACE, id: altered.id, parts: ['the record'] }]);
    deepEqual([report.database.length, report.checkedRecords], [1, 2]);
    await rejects(store.backup('anywhere'), { code: 'storage_unsupported' });
    await store.close();
  });
});

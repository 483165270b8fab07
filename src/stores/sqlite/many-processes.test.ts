import { deepEqual, equal } from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { SPACE } from '../../../test/stores/contract/sample-records.ts';
import { runWriter } from '../../../test/stores/sqlite/fixtures/run-writers.ts';
import { CLOCK, makeTempFolder, SILENT } from '../../../test/stores/sqlite/fixtures/temp-store.ts';
import { openStore } from '../open-store.ts';

test('loses nothing that was acknowledged to 8 processes, some of them killed', async () => {
  const folder = makeTempFolder();
  const location = join(folder.path, 'ltm.db');
  const writers = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      runWriter(location, {
        count: 50,
        name: `writer-${i}`,
        ...(i % 2 === 0 ? {} : { killAfter: 5 + Math.floor(Math.random() * 35) }),
      }),
    ),
  );
  for (const [i, { code, signal, errors }] of writers.entries()) {
    equal(errors, '', `writer ${i}`);
    if (i % 2 === 0) deepEqual([code, signal], [0, null]);
  }
  const acknowledged = writers.flatMap(({ lines }) => lines.slice(1));
  const store = await openStore(location, { clock: CLOCK, log: SILENT });
  const kept = await store.getRecords(SPACE, acknowledged);
  deepEqual(
    kept.map(({ id }) => id),
    acknowledged,
  );
  // A killed writer may have had one more commit on its way than it could tell of.
  const total = (await store.listRecords(SPACE, {}, { limit: 0 })).total;
  equal(total >= acknowledged.length && total <= acknowledged.length + 4, true, `${total} for ${acknowledged.length}`);
  equal(await store.head(SPACE), total);
  deepEqual(
    (await store.changesAfter(SPACE, 0, 1000)).map(({ seq }) => seq),
    Array.from({ length: total }, (_, i) => i + 1),
  );
  deepEqual(await store.verify(), { database: [], checkedRecords: total, damaged: [] });
  await store.close();
  folder.remove();
});

test('lets 20 processes start at once on a file that is not there', async () => {
  const folder = makeTempFolder();
  const location = join(folder.path, 'new', 'ltm.db');
  const writers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => runWriter(location, { count: 1, name: `writer-${i}` })),
  );
  deepEqual(
    writers.map(({ code, errors, lines }) => [code, errors, lines.length]),
    writers.map(() => [0, '', 2]),
  );
  const store = await openStore(location, { clock: CLOCK, log: SILENT });
  equal(await store.head(SPACE), 20);
  await store.close();
  folder.remove();
});

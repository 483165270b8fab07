import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { makeFolder, silentLog } from '../../../test/open-test-engine.ts';
import { findPostgres, type PrivatePostgres, startPrivatePostgres } from '../../../test/postgres/private-postgres.ts';
import { ACTOR, put } from '../../../test/stores/contract/sample-records.ts';
import { type FullStore, headOf } from '../../../test/stores/contract/store-under-test.ts';
import { CLOCK } from '../../../test/stores/sqlite/fixtures/temp-store.ts';
import { THIS_MACHINE } from '../../server/this-machine.ts';
import { openStore } from '../../stores/open-store.ts';
import { loadConfig } from '../config.ts';
import { listBackups } from './backup-folder.ts';
import { createBackup } from './create-backup.ts';
import { verifyBackup } from './verify-backup.ts';

const folder = makeFolder();
const open = (location: string) => openStore(location, { clock: CLOCK, log: silentLog });
const SPACES = ['ann', 'bob'] as const;
const RECORDS = 1_500;

/** Many that a search can tell apart by their numbers alone. */
async function fill(store: FullStore): Promise<void> {
  for (const space of SPACES)
    for (let i = 0; i < RECORDS; i += 100) {
      const some = Array.from({ length: 100 }, (_, k) => put({ content: `The harbour light number ${i + k} is red.` }));
      headOf(await store.commit(space, some, ACTOR));
    }
}

/** Writes to one space after the other, without a pause, until it is stopped. */
function keepWriting(store: FullStore): { written(): number; stop(): Promise<void> } {
  let [written, isOver] = [0, false];
  const writing = (async () => {
    for (; !isOver; written++) {
      const content = `The harbour light number ${RECORDS + written} is red.`;
      for (const space of SPACES) headOf(await store.commit(space, [put({ content })], ACTOR));
    }
  })();
  return {
    written: () => written,
    async stop() {
      isOver = true;
      await writing;
    },
  };
}

function describeBackups(name: string, newPlace: () => string): void {
  describe(`a backup of ${name}`, () => {
    test('is of one moment, and comes to its end however much is written meanwhile', async () => {
      const db = newPlace();
      const backups = join(makeFolder(), 'backups');
      const config = { ...loadConfig({ env: { HOME: folder }, file: join(folder, 'none.json') }), db };
      const store = await open(db);
      try {
        await fill(store);
        const writer = keepWriting(store);
        while (writer.written() < 5) await new Promise((resolve) => setTimeout(resolve, 5));
        const acknowledged = writer.written();
        const { backup } = await createBackup(THIS_MACHINE, config, { folder: backups, keepDays: null }).finally(
          writer.stop,
        );
        assert.ok(writer.written() > acknowledged, 'somebody wrote meanwhile');
        const { report, copy, close } = await verifyBackup(THIS_MACHINE, config, {
          backup,
          onProgress: () => undefined,
        });
        assert.deepEqual(report.sound, true, JSON.stringify(report.checks));
        const kept = await open(copy);
        const [ann, bob] = await Promise.all(SPACES.map(async (space) => (await kept.inspect(space)).records));
        await kept.close();
        close();
        assert.ok(ann! >= RECORDS + acknowledged, `${ann} of ${RECORDS + acknowledged}`);
        // Both spaces as they were at the same moment: the second is one write behind at most.
        assert.ok(ann === bob || ann === bob! + 1, `${ann} and ${bob}`);
        assert.equal(backup.records, ann! + bob!);
      } finally {
        await store.close();
      }
    });

    test('that fails leaves those that were made before, and nothing of its own', async () => {
      const db = newPlace();
      const backups = join(makeFolder(), 'backups');
      const config = { ...loadConfig({ env: { HOME: folder }, file: join(folder, 'none.json') }), db };
      const store = await open(db);
      headOf(await store.commit('ann', [put()], ACTOR));
      await store.close();
      await createBackup(THIS_MACHINE, config, { folder: backups, keepDays: 1 });
      const before = readdirSync(backups);
      const stop = (step: string): void => {
        if (step === 'compressing') throw new Error('out of room');
      };
      await assert.rejects(
        createBackup(THIS_MACHINE, config, { folder: backups, keepDays: 1, onProgress: stop }),
        /out of room/,
      );
      assert.deepEqual(readdirSync(backups), before);
      assert.equal(listBackups(backups).length, 1);
    });
  });
}

let made = 0;
describeBackups('a file', () => join(folder, `${++made}.db`));

const found = findPostgres();
if ('missing' in found) test('a backup of PostgreSQL', { skip: found.missing }, () => {});
else {
  let postgres: PrivatePostgres;
  before(async () => {
    postgres = await startPrivatePostgres();
  });
  after(() => postgres.stop());
  describeBackups('PostgreSQL', () => postgres.url({ schema: `b${++made}` }));
}

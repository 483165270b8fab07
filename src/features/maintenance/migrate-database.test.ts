import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fillStore } from '../../../test/fill-store.ts';
import { engineError, makeFolder, silentLog } from '../../../test/open-test-engine.ts';
import { findPostgres, type PrivatePostgres, startPrivatePostgres } from '../../../test/postgres/private-postgres.ts';
import { hashOf } from '../../../test/stores/contract/sample-identities.ts';
import { ACTOR, change, put, START } from '../../../test/stores/contract/sample-records.ts';
import { type FullStore, headOf } from '../../../test/stores/contract/store-under-test.ts';
import { CLOCK } from '../../../test/stores/sqlite/fixtures/temp-store.ts';
import { copySpace } from '../../engine/copy-space.ts';
import { THIS_MACHINE } from '../../server/this-machine.ts';
import { openStore } from '../../stores/open-store.ts';
import { loadConfig } from '../config.ts';
import { migrateDatabase } from './migrate-database.ts';

const folder = makeFolder();
const config = loadConfig({ env: { HOME: folder }, file: join(folder, 'none.json') });
let made = 0;
const newFile = () => join(folder, `${++made}.db`);
const open = (location: string) => openStore(location, { clock: CLOCK, log: silentLog });
const migrate = (from: string, to: string, dryRun = false) =>
  migrateDatabase(THIS_MACHINE, config, { log: silentLog, from, to, dryRun });

async function using<T>(location: string, work: (store: FullStore) => Promise<T>): Promise<T> {
  const store = await open(location);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function getOne(store: FullStore, space: string, id: string) {
  return (await store.getRecords(space, [id]))[0]!;
}

/** Everything that the two hold, through the port that other programs use. */
async function photograph(store: FullStore): Promise<unknown> {
  const spaces = await store.listSpaces();
  const contents = await Promise.all(
    spaces.map(async (space) => {
      const ids = await store.listIds(space, { after: null, limit: 1000, of: 'all' });
      return {
        records: await store.getRecords(space, ids),
        versions: await Promise.all(ids.map((id) => store.listVersions(space, id))),
        passages: await store.readPassages(space, ids),
        entries: await store.readIndexEntries(space, ids),
        relations: await store.listRelations(space, ids),
        reads: await store.readStatistics(space, ids),
        receipt: await store.findReceipt(space, 'r1'),
        graves: await store.listGraves(space, null, 1000),
        feed: await store.changesAfter(space, 0, 1000),
        labels: await store.countLabels(space, 'tag'),
      };
    }),
  );
  const people = [
    await store.listUsers(),
    await store.listTokens(),
    await store.findPassword('ann'),
    await store.findTeam({ id: 'crew' }),
    await store.listMembers('crew'),
  ];
  const rest = [
    await store.listInvites('crew'),
    await store.findLink(hashOf('link')),
    await store.listAudit({ limit: 99 }),
    await store.findArtifact('Grant', { id: 'g1' }),
  ];
  return { spaces, contents, people, rest, secret: await store.keepSecret('cookie_keys', 'other') };
}

/** Returns who has the key now. */
async function passKeyOn(store: FullStore, { from, to }: { from: string | null; to: string }): Promise<string | null> {
  const [loser, taker] = [from === null ? undefined : await getOne(store, 'ann', from), await getOne(store, 'ann', to)];
  if (taker === undefined || taker.id === from) return from;
  headOf(
    await store.commit(
      'ann',
      [...(loser === undefined ? [] : [change(loser, { key: null })]), change(taker, { key: 'wandering' })],
      ACTOR,
    ),
  );
  return to;
}

function describeMigration(name: string, places: () => { from: string; to: string; back: string }): void {
  describe(`ltm migrate ${name}`, () => {
    test('brings everything over, and back, just as it was', async () => {
      const { from, to, back } = places();
      await using(from, fillStore);
      const report = await migrate(from, to);
      assert.deepEqual(
        [
          report.spaces,
          report.copied.records,
          report.copied.changes,
          report.copied.tokens,
          report.behind,
          report.verified,
        ],
        [2, 58, 68, 1, 0, true],
      );
      assert.ok(report.comparedSearches >= 16);
      await migrate(to, back);
      const [first, second, third] = await Promise.all([from, to, back].map((place) => using(place, photograph)));
      assert.deepEqual(second, first);
      assert.deepEqual(third, first);
      const replicas = await Promise.all(
        [from, to, back].map((place) => using(place, async (store) => store.transfer.replica)),
      );
      assert.equal(new Set(replicas).size, 3);
      await using(to, async (store) =>
        assert.deepEqual(await store.verify(), { database: [], checkedRecords: 58, damaged: [] }),
      );
    });

    test('brings over what is new when it runs again, and refuses once the target goes its own way', async () => {
      const { from, to } = places();
      await using(from, fillStore);
      await migrate(from, to);
      await using(from, async (store) => headOf(await store.commit('ann', [put({ content: 'news' })], ACTOR)));
      assert.equal((await migrate(from, to)).copied.records, 59);
      await using(to, async (store) => headOf(await store.commit('ann', [put({ content: 'own' })], ACTOR)));
      await assert.rejects(migrate(from, to), engineError('conflict'));
    });

    test('goes on where it was stopped', async () => {
      const { from, to } = places();
      await using(from, async (store) => {
        for (let i = 0; i < 5; i++)
          headOf(
            await store.commit(
              'ann',
              Array.from({ length: 100 }, (_, j) => put({ content: `text ${i} ${j}` })),
              ACTOR,
            ),
          );
      });
      await using(from, (source) =>
        using(to, async (target) => {
          let steps = 0;
          const failing = {
            ...target,
            transfer: {
              ...target.transfer,
              takeIn: (...step: Parameters<typeof target.transfer.takeIn>) =>
                ++steps === 3 ? Promise.reject(new Error('killed')) : target.transfer.takeIn(...step),
            },
          };
          await assert.rejects(copySpace({ source, target: failing, space: 'ann' }), /killed/);
          assert.equal((await target.listIds('ann', { after: null, limit: 1000, of: 'all' })).length, 400);
          const copied: number[] = [];
          await copySpace({ source, target, space: 'ann', onProgress: (count) => copied.push(count) });
          assert.equal(Math.max(...copied), 100);
          assert.equal((await target.listIds('ann', { after: null, limit: 1000, of: 'all' })).length, 500);
          assert.equal(await target.head('ann'), 500);
        }),
      );
    });

    test('copies a space that is being written to: keys that wander, records that go, relations that come', async () => {
      const { from, to } = places();
      await using(from, async (source) => {
        headOf(
          await source.commit(
            'ann',
            Array.from({ length: 450 }, (_, i) => put({ content: `text ${i}` })),
            ACTOR,
          ),
        );
        const ids = await source.listIds('ann', { after: null, limit: 1000, of: 'all' });
        const copying = migrate(from, to);
        let holder: string | null = null;
        for (let i = 0; i < 40; i++) {
          const [near, far] = [ids[(i * 37) % 450]!, ids[(i * 61 + 5) % 450]!];
          holder = await passKeyOn(source, { from: holder, to: near });
          await source.commit(
            'ann',
            [{ op: 'relate', relation: { from: near, to: far, type: 'near', weight: 1, body: {}, createdAt: START } }],
            ACTOR,
          );
          const victim = ids[(i * 13 + 1) % 450]!;
          if (victim !== holder) await source.commit('ann', [{ op: 'purge', id: victim }], ACTOR);
        }
        assert.equal((await copying).verified, true);
      });
      const { verified, behind } = await migrate(from, to);
      assert.deepEqual([verified, behind], [true, 0]);
      const [here, there] = await Promise.all([from, to].map((place) => using(place, photograph)));
      assert.deepEqual(there, here);
    });

    test('counts with --dry-run what the copy brings over: deleted records too, and of the feed what is still kept', async () => {
      const { from, to, back } = places();
      await using(from, async (store) => {
        await fillStore(store);
        assert.equal(await store.pruneFeed('ann', { upTo: 20, now: START }), 20);
      });
      for (const [source, target] of [
        [from, to],
        [to, back],
      ] as const) {
        const dry = await migrate(source, target, true);
        const { copied } = await migrate(source, target);
        assert.deepEqual(dry.copied, copied);
        assert.equal(dry.behind, copied.changes);
        assert.equal((await migrate(source, target, true)).behind, 0);
      }
    });

    test('removes from the target what was given up in the source since an earlier run', async () => {
      const { from, to } = places();
      await using(from, fillStore);
      await migrate(from, to);
      await using(from, (store) => store.dropSpace('crew'));
      assert.equal((await migrate(from, to)).spaces, 1);
      await using(to, async (store) => assert.deepEqual(await store.listSpaces(), ['ann']));
    });

    test('looks only with --dry-run, and refuses a target with data of its own', async () => {
      const { from, to, back } = places();
      await using(from, fillStore);
      assert.deepEqual((await migrate(from, to, true)).copied.records, 58);
      await assert.rejects(migrate(to, back), engineError('not_found'));
      await using(to, async (store) => headOf(await store.commit('bob', [put()], ACTOR)));
      await assert.rejects(migrate(from, to), engineError('conflict'));
      await assert.rejects(migrate(from, from), engineError('invalid_input'));
    });
  });
}

describeMigration('from file to file', () => ({ from: newFile(), to: newFile(), back: newFile() }));

const found = findPostgres();
if ('missing' in found) test('ltm migrate between a file and PostgreSQL', { skip: found.missing }, () => {});
else {
  let postgres: PrivatePostgres;
  before(async () => {
    postgres = await startPrivatePostgres();
  });
  after(() => postgres.stop());
  const newUrl = () => postgres.url({ schema: `m${++made}` });
  describeMigration('from a file to PostgreSQL', () => ({ from: newFile(), to: newUrl(), back: newFile() }));
  describeMigration('from PostgreSQL to a file', () => ({ from: newUrl(), to: newFile(), back: newUrl() }));
}

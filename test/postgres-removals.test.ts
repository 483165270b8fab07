import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { PGlite } from '@electric-sql/pglite';
import { createEngine } from '../src/features/create-engine.ts';
import { DEFAULT_SETTINGS } from '../src/features/default-settings.ts';
import type { Caller } from '../src/model/caller.ts';
import { createSharing } from '../src/server/open-engine.ts';
import { openStoreOn } from '../src/stores/postgres/open-postgres-store.ts';
import { DAY, MINUTE, makeCaller, makeClock, silentLog } from './open-test-engine.ts';
import { openPgliteDatabase } from './stores/postgres/fixtures/pglite-database.ts';

const TEAM = 'team_1';
const me = makeCaller('rest');
const ada = makeCaller('rest', { userId: 'ada', space: 'ada', spaces: ['ada'] });
const adaInTeam = makeCaller('rest', { userId: 'ada', space: TEAM, spaces: [TEAM] });
const meInTeam = makeCaller('rest', { space: TEAM, spaces: [TEAM] });

const pglite = new PGlite();
after(() => pglite.close());

test('on PostgreSQL, removed teams and people leave nothing behind, and a clock that jumps purges nothing', async (t) => {
  const clock = makeClock();
  const store = await openStoreOn(openPgliteDatabase(pglite), 'removals', { clock, log: silentLog });
  const ports = { store, embedder: null, clock, log: silentLog, sharing: createSharing(store) };
  const engine = createEngine(ports, { ...DEFAULT_SETTINGS, flushPassages: 10 });
  t.after(() => engine.close());
  const user = { id: 'ada', name: 'Ada', email: 'ada@example.org', createdAt: 1, suspendedAt: null };
  const team = { id: TEAM, name: 'crew', ownerId: 'owner', createdAt: 1 };
  await store.changeIdentity(
    [
      { op: 'add_user', user },
      { op: 'add_team', team },
    ],
    'test',
  );
  const add = (caller: Caller, count: number) =>
    engine.storeMemories(
      caller,
      Array.from({ length: count }, (_, i) => ({ content: `${caller.userId} ${caller.space} ${i}` })),
    );
  for (const caller of [me, ada, adaInTeam, meInTeam]) await add(caller, 21);
  await engine.deleteMemories(me, { filter: { contains: 'owner owner' } });
  const live = async (days: number) => {
    let purged = 0;
    for (let day = 0; day < days; day++) {
      clock.run(DAY);
      purged += (await engine.runUpkeep()).purged;
    }
    return purged;
  };
  await engine.runUpkeep();
  const { time } = clock;
  clock.time += 3650 * DAY;
  assert.equal((await engine.runUpkeep()).purged, 0);
  assert.match((await engine.checkHealth(me)).notices.join(), /^21 deleted records/);
  clock.time = time + MINUTE;

  const remove = [
    { op: 'remove_user', id: 'ada' },
    { op: 'purge_user', id: 'ada' },
  ] as const;
  assert.deepEqual(await store.changeIdentity(remove, 'operator'), { outcome: 'changed' });
  await engine.finishRemovals();
  assert.deepEqual(await engine.countStoredBy(me, 'ada'), { own: 0, inTeams: 0 });
  assert.equal((await store.inspect(TEAM)).records, 21);

  await store.changeIdentity([{ op: 'remove_team', id: TEAM }], 'owner');
  await engine.runUpkeep();
  const { records, deleted } = await store.inspect(TEAM);
  assert.deepEqual([records, deleted], [0, 21]);
  assert.equal(await live(29), 0);
  assert.equal(await live(2), 42);
  assert.deepEqual(await store.listSpaces(), ['owner']);
  assert.deepEqual([await store.listRemovals(), (await store.verify()).database], [[], []]);
});

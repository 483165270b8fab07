import { deepEqual, equal, rejects } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { findPostgres, type PrivatePostgres, startPrivatePostgres } from '../../../test/postgres/private-postgres.ts';
import { ACTOR, put, SPACE } from '../../../test/stores/contract/sample-records.ts';
import { type FullStore, headOf } from '../../../test/stores/contract/store-under-test.ts';
import { type CuttingProxy, startCuttingProxy } from '../../../test/stores/postgres/fixtures/cutting-proxy.ts';
import { CLOCK, SILENT } from '../../../test/stores/sqlite/fixtures/temp-store.ts';
import { openPostgresStore } from './open-postgres-store.ts';

const found = findPostgres();
const KILL_ALL =
  "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app' AND pid <> pg_backend_pid()";
const KILL_ONE = `${KILL_ALL} ORDER BY random() LIMIT 1`;

describe('when connections break', { skip: 'missing' in found ? found.missing : false }, () => {
  let postgres: PrivatePostgres;
  let proxy: CuttingProxy;
  let schemas = 0;
  const open = (url: string, options: { longestWaitMs?: number } = {}): Promise<FullStore> =>
    openPostgresStore(url, { clock: CLOCK, log: SILENT, ...options });
  const freshUrl = () => postgres.url({ schema: `lost_${++schemas}` });
  const throughProxy = (url: string) => {
    const changed = new URL(url);
    changed.port = String(proxy.port);
    return changed.href;
  };
  before(async () => {
    postgres = await startPrivatePostgres();
    proxy = await startCuttingProxy({ host: '127.0.0.1', port: Number(new URL(postgres.url()).port) });
  });
  after(async () => {
    await proxy.close();
    await postgres.stop();
  });

  for (const when of ['before', 'after'] as const) {
    test(`applies a commit exactly once when the line breaks just ${when} the server hears COMMIT`, async () => {
      const store = await open(throughProxy(freshUrl()));
      for (let i = 0; i < 5; i++) {
        proxy.cutNext(when, 1);
        equal(headOf(await store.commit(SPACE, [put({ content: `text ${i}` })], ACTOR)), i + 1);
      }
      proxy.cutNext(when, 3);
      const group = await Promise.all(
        Array.from({ length: 20 }, (_, i) => store.commit(SPACE, [put({ content: `more ${i}` })], ACTOR)),
      );
      deepEqual(
        group.map(headOf),
        group.map((_, i) => i + 6),
      );
      equal(await store.head(SPACE), 25);
      equal((await store.listRecords(SPACE, {}, { limit: 100 })).total, 25);
      proxy.cutNext(when, 0);
      await store.close();
    });

    test(`answers receipts, people and leases as if nothing had happened when the line breaks ${when} COMMIT`, async () => {
      const store = await open(throughProxy(freshUrl()));
      const receipt = { op: 'receipt' as const, key: 'k', fingerprint: 'f', answer: { a: 1 }, at: 5 };
      proxy.cutNext(when, 1);
      equal((await store.commit(SPACE, [receipt], ACTOR)).outcome, 'committed');
      const user = { id: 'u', name: 'U', email: null, createdAt: 1, suspendedAt: null };
      proxy.cutNext(when, 1);
      deepEqual(await store.changeIdentity([{ op: 'add_user', user }], 'operator'), { outcome: 'changed' });
      equal((await store.listAudit({ limit: 9 })).length, 1);
      const artifact = {
        model: 'Code',
        id: 'c',
        payload: {},
        grantId: null,
        userCode: null,
        uid: null,
        userId: null,
        expiresAt: null,
        consumedAt: null,
      };
      await store.putArtifact(artifact);
      proxy.cutNext(when, 1);
      equal(await store.consumeArtifact('Code', 'c', 7), true);
      equal(await store.consumeArtifact('Code', 'c', 7), false);
      proxy.cutNext(when, 1);
      equal(await store.takeLease('upkeep', 'a', 10, 1), true);
      proxy.cutNext(when, 0);
      await store.close();
    });
  }

  test('says that it does not know when the server does not come back to be asked', async () => {
    const own = await startCuttingProxy({ host: '127.0.0.1', port: Number(new URL(postgres.url()).port) });
    const url = new URL(freshUrl());
    url.port = String(own.port);
    const store = await open(url.href, { longestWaitMs: 200 });
    headOf(await store.commit(SPACE, [put()], ACTOR));
    own.cutNext('for_good', 1);
    await rejects(store.commit(SPACE, [put({ content: 'perhaps' })], ACTOR), {
      code: 'busy',
      details: { outcome: 'unknown' },
    });
    await rejects(store.commit(SPACE, [put({ content: 'surely not' })], ACTOR), {
      code: 'busy',
      details: { postgres: 'connection' },
    });
    await store.close();
    await own.close();
  });

  test('loses no acknowledged write and repeats none while backends are killed under load', async () => {
    const store = await open(freshUrl(), { longestWaitMs: 600_000 });
    const told: string[] = [];
    const end = store.watch((space) => told.push(space));
    let isOver = false;
    const killing = (async () => {
      for (; !isOver; await sleep(10)) await postgres.admin(KILL_ONE);
    })();
    const lanes = Array.from({ length: 6 }, async (_, lane) => {
      for (let i = 0; i < 40; i++) {
        // However fast they write: each of them goes through some losses.
        if (i % 10 === 5) await postgres.admin(KILL_ONE);
        headOf(await store.commit(`space ${lane % 3}`, [put({ content: `${lane} wrote ${i}` })], ACTOR));
        await store.head(`space ${lane % 3}`);
      }
    });
    await Promise.all(lanes);
    isOver = true;
    await killing;
    for (const space of ['space 0', 'space 1', 'space 2']) {
      const feed = await store.changesAfter(space, 0, 1000);
      deepEqual(
        feed.map(({ seq }) => seq),
        feed.map((_, i) => i + 1),
      );
      deepEqual([feed.length, (await store.listRecords(space, {}, { limit: 1 })).total], [80, 80]);
    }
    deepEqual((await store.verify()).database, []);
    end();
    await store.close();
  });

  test('goes on by itself after the server was restarted, and tells what it missed meanwhile', async () => {
    const url = freshUrl();
    // However long the server takes to be back.
    const [store, other] = [await open(url), await open(url, { longestWaitMs: 600_000 })];
    const told: string[] = [];
    const end = store.watch((space) => told.push(space));
    headOf(await other.commit('one', [put()], ACTOR));
    while (!told.includes('one')) await sleep(5);
    const restarting = postgres.restart('immediate');
    headOf(await other.commit('two', [put()], ACTOR));
    await restarting;
    equal(await store.head('two'), 1);
    while (!told.includes('two')) await sleep(10);
    end();
    await store.close();
    await other.close();
  });

  test('answers busy, soon, while there is no server, and does not open without one', async () => {
    const dead = new URL(postgres.url());
    dead.port = '9';
    await rejects(open(dead.href, { longestWaitMs: 100 }), { code: 'busy' });
    const wrong = new URL(postgres.url());
    wrong.password = 'wrong';
    await rejects(open(wrong.href), { code: 'storage_unsupported' });
    await rejects(open(postgres.url({ database: 'nowhere' })), { code: 'storage_unsupported' });
  });
});

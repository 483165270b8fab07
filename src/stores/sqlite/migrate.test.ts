import { deepEqual, equal, ok } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { ACTOR, put, SPACE, START } from '../../../test/stores/contract/sample-records.ts';
import { headOf } from '../../../test/stores/contract/store-under-test.ts';
import { runWriter } from '../../../test/stores/sqlite/fixtures/run-writers.ts';
import { CLOCK, makeTempFolder, SILENT } from '../../../test/stores/sqlite/fixtures/temp-store.ts';
import { hashContent } from '../../model/record.ts';
import { openStore } from '../open-store.ts';
import { type Connection, openConnection } from './connection.ts';
import { SCHEMA_VERSION } from './migrate.ts';
import { foundation } from './migrations/0001-foundation.ts';
import { identity } from './migrations/0002-identity.ts';
import { transfer } from './migrations/0003-transfer.ts';
import { synchronisation } from './migrations/0004-synchronisation.ts';
import { author } from './migrations/0005-author.ts';

let folder = makeTempFolder();
let path = '';
beforeEach(() => {
  folder = makeTempFolder();
  path = join(folder.path, 'ltm.db');
});
afterEach(() => folder.remove());

const TOKEN_HASH = 'ab'.repeat(32);

/** A file as the first version left it, with one record and one token. */
function makeFirstVersion(): void {
  const connection = openConnection(path);
  connection.exec(`${foundation}
    PRAGMA application_id = 0x6c746d31; PRAGMA user_version = 1;
    INSERT INTO access_tokens (id, sha256, user_id, name, scopes, created_at, last_used_at, revoked_at, expires_at)
    VALUES ('t1', '${TOKEN_HASH}', 'owner', 'laptop', '["read","write"]', ${START}, ${START + 5}, NULL, ${START + 9})`);
  insertRecord(connection, 'from before');
  connection.close();
}

/** As release 0.1.0 wrote it: the checksum covers its columns in this order. */
function insertRecord(connection: Connection, content: string): void {
  const { id } = put();
  const cells = {
    space_id: SPACE,
    id,
    revision: 1,
    kind: 'memory',
    key: null,
    type: 'note',
    content_hash: hashContent(content),
    project: null,
    agent: null,
    session: null,
    conversation: null,
    trust: 'user',
    quality: 0.5,
    created_at: START,
    updated_at: START,
    valid_from: null,
    valid_until: null,
    superseded_by: null,
    deleted_at: null,
    source: '{"door":"cli","userId":"owner"}',
    tags: '[]',
    title: null,
    body: '{}',
    content,
  };
  const sha256 = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest();
  const sums = { feed_seq: 1, checksum: sha256(Object.values(cells)), passages_checksum: sha256([[0, content]]) };
  const row = { ...cells, ...sums };
  const places = Object.keys(row).map((name) => `:${name}`);
  connection.statement(`INSERT INTO records (${Object.keys(row)}) VALUES (${places})`).run(row);
  connection.statement('INSERT INTO passages VALUES (?, ?, 0, ?)').run(SPACE, id, content);
  connection.exec(`INSERT INTO spaces VALUES ('${SPACE}', ${START}); INSERT INTO feed_heads VALUES ('${SPACE}', 1)`);
  connection.statement("INSERT INTO feed VALUES (?, 1, ?, 'created', ?, 'memory', 1, ?)").run(SPACE, START, id, ACTOR);
}

test('upgrades a file of the first version and keeps its records and tokens', async () => {
  makeFirstVersion();
  const store = await openStore(path, { clock: CLOCK, log: SILENT });
  equal((await store.inspect(SPACE)).schemaVersion, SCHEMA_VERSION);
  deepEqual(await store.findToken(TOKEN_HASH), {
    id: 't1',
    sha256: TOKEN_HASH,
    userId: 'owner',
    name: 'laptop',
    scopes: ['read', 'write'],
    teamId: null,
    agent: null,
    workspace: null,
    createdAt: START,
    lastUsedAt: START + 5,
    revokedAt: null,
    expiresAt: START + 9,
  });
  deepEqual(await store.changeIdentity([{ op: 'revoke_token', id: 't1', at: START + 6 }], 'operator'), {
    outcome: 'changed',
  });
  equal((await store.listRecords(SPACE, {}, { limit: 5 })).items[0]?.content, 'from before');
  equal(headOf(await store.commit(SPACE, [put()], ACTOR)), 2);
  deepEqual(await store.verify(), { database: [], checkedRecords: 2, damaged: [] });
  await store.close();
});

test('remembers teams and people who were removed before it knew of removals, and who published what', async () => {
  makeFirstVersion();
  const connection = openConnection(path);
  connection.exec(`${identity} ${transfer}`);
  synchronisation(connection.database);
  connection.exec(`${author} PRAGMA user_version = 5;
    INSERT INTO users VALUES ('bob', 'Bob', NULL, 1, NULL);
    INSERT INTO public_links VALUES ('a', 'ann', 'r1', 1), ('b', 'team_2', 'r2', 1);
    INSERT INTO audit VALUES
      (1, ${START}, 'cli:bob', 'add_link', 'link:r2', 'team_2'), (2, ${START}, 'ann', 'remove_team', 'team:${SPACE}', '${SPACE}'),
      (3, ${START}, 'operator', 'remove_user', 'user:cat', NULL), (4, ${START}, 'operator', 'remove_user', 'user:bob', NULL),
      (5, ${START}, 'operator', 'add_user', 'user:bob', NULL)`);
  connection.close();
  const store = await openStore(path, { clock: CLOCK, log: SILENT });
  deepEqual(
    (await store.listRemovals()).map(({ id, what, removedBy, emptiedAt }) => [id, what, removedBy, emptiedAt]),
    [[SPACE, 'team', 'ann', null]],
  );
  equal((await store.findRemoval({ id: 'cat' }))?.what, 'user');
  equal(await store.findRemoval({ id: 'bob' }), null);
  deepEqual([(await store.findLink('a'))?.userId, (await store.findLink('b'))?.userId], ['ann', 'bob']);
  ok((await store.readTime()).believedAt < START);
  await store.close();
});

test('lets many processes meet a file of the first version at once', async () => {
  makeFirstVersion();
  const writers = await Promise.all(
    Array.from({ length: 6 }, (_, i) => runWriter(path, { count: 2, name: `writer-${i}` })),
  );
  deepEqual(
    writers.map(({ code, errors, lines }) => [code, errors, lines.length]),
    writers.map(() => [0, '', 3]),
  );
  const store = await openStore(path, { clock: CLOCK, log: SILENT });
  equal(await store.head(SPACE), 13);
  equal((await store.listTokens()).length, 1);
  await store.close();
});

test('copies identities with a backup', async () => {
  const store = await openStore(path, { clock: CLOCK, log: SILENT });
  await store.changeIdentity(
    [{ op: 'add_user', user: { id: 'ann', name: 'Ann', email: null, createdAt: START, suspendedAt: null } }],
    'operator',
  );
  await store.keepSecret('signing', 'key');
  const copy = join(folder.path, 'copy.db');
  await store.backup(copy);
  await store.close();
  const restored = await openStore(copy, { clock: CLOCK, log: SILENT });
  equal((await restored.findUser({ id: 'ann' }))?.name, 'Ann');
  equal(await restored.keepSecret('signing', 'other'), 'key');
  await restored.close();
});

test('has an index for everything that is asked about identities', async () => {
  await (await openStore(path, { clock: CLOCK, log: SILENT })).close();
  const connection = openConnection(path);
  const lookups = {
    users: ['id = ?', 'email = ?'],
    teams: ['id = ?', 'name = ?', 'owner_id = ?'],
    memberships: ['team_id = ?', 'user_id = ?', 'team_id = ? AND user_id = ?'],
    access_tokens: ['id = ?', 'sha256 = ?', 'user_id = ?', 'team_id = ?'],
    invites: ['id = ?', 'sha256 = ?', 'team_id = ?'],
    public_links: ['sha256 = ?', 'space_id = ?'],
    audit: ['team_id = ? AND seq < 9 ORDER BY seq DESC', 'seq < ? ORDER BY seq DESC'],
    receipts: ['space_id = ? AND created_at < ? ORDER BY created_at'],
    oauth_artifacts: [
      'id = ? AND model = ?',
      'user_code = ? AND model = ?',
      'uid = ? AND model = ?',
      'user_id = ? AND model = ?',
      'user_id = ?',
      'grant_id = ?',
      'expires_at <= ? ORDER BY expires_at',
    ],
  };
  for (const [table, conditions] of Object.entries(lookups)) {
    for (const condition of conditions) {
      const plan = connection.statement(`EXPLAIN QUERY PLAN SELECT * FROM ${table} WHERE ${condition}`).all() as {
        detail: string;
      }[];
      const [step] = plan;
      const columns = Array.from(condition.matchAll(/(\w+) [=<]/g), (match) => match[1]!);
      ok(plan.length === 1 && step!.detail.startsWith(`SEARCH ${table}`), `${table}, ${condition}: ${step!.detail}`);
      for (const column of columns)
        ok(step!.detail.replace('rowid', 'seq').includes(column), `${table}, ${condition}: ${step!.detail}`);
    }
  }
  connection.close();
});

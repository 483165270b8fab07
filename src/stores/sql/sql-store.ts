import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AuthStore, OAuthStore } from '../../auth/ports.ts';
import type { Clock, Leases, Movable, SeenTime, SeenTimes, Store, Transfer } from '../../engine/ports.ts';
import type { ChunkStore } from '../../model/chunk.ts';
import { collectDamage, type NoteDamage } from '../../model/damage.ts';
import { EngineError } from '../../model/errors.ts';
import type { Instant, RecordId, ReplicaId, SpaceId } from '../../model/ids.ts';
import { lateFunctions, lateMethods } from '../../model/late.ts';
import type { SealedStore } from '../../model/sealed.ts';
import type { Segment, SegmentId, SegmentPieces } from '../../model/segment.ts';
import { countLabels } from './count-labels.ts';
import { readChangesAfter, readHead, readHeadRow, readLastNumber } from './feed.ts';
import { listHeldIds, listLinks, readHeld } from './held-records.ts';
import { createIdentityStore } from './identity/identity-store.ts';
import type { DatabaseFacts } from './inspect.ts';
import { listContaining } from './list-containing.ts';
import { type ContentSearch, lastChange, listRecords, readRange } from './list-records.ts';
import type { MendingMethods } from './mending-methods.ts';
import { createListUnembedded, dropVectors, readIndexEntries, readSoundPassages } from './passages.ts';
import { createFeedPruning } from './prune-feed.ts';
import { type ReadCounter, readStatistics } from './read-counter.ts';
import {
  findReceipt,
  getRecords,
  listDeletions,
  listGraves,
  listHeads,
  listIds,
  listRelations,
  listReplaced,
  listSpaces,
  listVersions,
  relationsBetween,
  scanRelations,
} from './read-records.ts';
import { pruneReceipts } from './receipts.ts';
import type { Replica } from './replica.ts';
import { listLiveSegments, replaceSegments, type SegmentRow, toSegment } from './segments.ts';
import { checkStamps, readStamps } from './stamp-writes.ts';
import { find, type SqlDatabase, write } from './statements.ts';

const { createOAuthStore } = lateFunctions(() => import('./identity/oauth-artifacts.ts'), 'createOAuthStore');
const { createMendingMethods } = lateFunctions(() => import('./mending-methods.ts'), 'createMendingMethods');
const { createChunkStore } = lateFunctions(() => import('./chunks.ts'), 'createChunkStore');
const { createSealedStore } = lateFunctions(() => import('./sealed.ts'), 'createSealedStore');
const { createTransfer } = lateFunctions(() => import('./transfer.ts'), 'createTransfer');

/** What an adapter brings along; how it commits, watches, copies and closes stays with it. */
export interface SqlStoreParts {
  database: SqlDatabase;
  replica: Replica;
  clock: Clock;
  reads: ReadCounter;
  contentSearch: ContentSearch;
  /** null where a part is missing: another process has swapped the segment out meanwhile. */
  readSegmentBytes(space: SpaceId, row: SegmentRow): Promise<Uint8Array | null>;
  /** Absent where pieces of a segment cannot be read without waiting; null where they are larger than they would be now. */
  openPieces?(space: SpaceId, row: SegmentRow): SegmentPieces | null;
  describeDatabase(): Promise<DatabaseFacts>;
  /** What the database says of itself; empty when sound. */
  checkDatabase(): Promise<string[]>;
  /** Null where the database guards its own indexes. */
  findUnindexed: ((space: SpaceId, column: 'key' | 'content_hash', value: string) => Promise<RecordId[]>) | null;
  /** Makes the database's own indexes anew where they are not what the tables say; what was done. */
  mendIndexes(): Promise<string[]>;
}

/** However often it is asked for, it is done once. */
export function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null;
  return () => {
    done ??= work();
    return done;
  };
}

/** Rows that are looked through, one after the other, before it is said that there is no such record: some ten milliseconds. */
const MAX_UNINDEXED = 10_000;

type OwnMethods = 'commit' | 'watch' | 'eraseTraces' | 'backup' | 'close';

export function createSqlStore(parts: SqlStoreParts): Omit<Store, OwnMethods> & AuthStore & Movable {
  const { database, clock, replica } = parts;
  return {
    ...recordMethods(database),
    ...indexMethods(parts),
    ...countingMethods(parts),
    ...createLeases(database),
    ...createFeedPruning(database),
    ...createSeenTime(database),
    ...createIdentityStore(database, clock),
    ...lateOAuth(database),
    ...lateMending(parts),
    chunks: lateChunks(database),
    sealed: lateSealed(database),
    transfer: { replica: replica.id, ...lateTransfer(database, replica.id) },
    readHeld: (space, ids, options) => database.read({ space }, () => readHeld(space, ids, options)),
    listHeldIds: (space, page) => database.read({ space }, () => listHeldIds(space, page)),
    listLinks: (space) => database.read({ space }, () => listLinks(space)),
    async readStamps(space, ids, note) {
      const rows = await database.read({ space }, () => readStamps(space, ids, note));
      return new Map([...rows].map(([id, { state }]) => [id, state]));
    },
    checkStamps: (space, note) =>
      database.read({ space }, () => checkStamps(space, { note, isGuarded: parts.findUnindexed === null })),
    async readReplica(space) {
      const head = await database.read({ space }, () => readHeadRow(space));
      return { replica: head?.replica ?? replica.id, epoch: head?.epoch ?? replica.epoch, sealed: head?.sealed ?? 0 };
    },
    async findUnindexed(space, by, value) {
      const head = parts.findUnindexed === null ? null : await database.read({ space }, () => readHeadRow(space));
      if (parts.findUnindexed === null || (head?.counts?.records ?? Infinity) > MAX_UNINDEXED) return null;
      return parts.findUnindexed(space, by === 'key' ? 'key' : 'content_hash', value);
    },
    listSpaces: () => database.read('list_of_spaces', listSpaces),
    listHeads: () => database.read('list_of_spaces', listHeads),
    async expectedRows(space) {
      const head = await database.read({ space }, () => readHeadRow(space));
      return head === null || head.counts === null ? null : { head: head.seq, ...head.counts };
    },
  };
}

function lateOAuth(database: SqlDatabase): OAuthStore {
  const names = { putArtifact: true, findArtifact: true, consumeArtifact: true, removeArtifact: true } as const;
  const more = { listArtifacts: true, countArtifacts: true, removeExpiredArtifacts: true } as const;
  return lateMethods<OAuthStore>({ ...names, ...more }, () => createOAuthStore(database));
}

function lateMending(parts: SqlStoreParts): MendingMethods {
  const names = { dropSpace: true, inspect: true, verify: true, catchUp: true, recount: true } as const;
  const more = {
    mendVersions: true,
    mendRelations: true,
    mendDerived: true,
    salvage: true,
    listLost: true,
    dropStrays: true,
  } as const;
  return lateMethods<MendingMethods>({ ...names, ...more }, () => createMendingMethods(parts));
}

function lateChunks(database: SqlDatabase): ChunkStore {
  return lateMethods<ChunkStore>({ put: true, find: true, read: true, list: true, drop: true }, () =>
    createChunkStore(database),
  );
}

function lateSealed(database: SqlDatabase): SealedStore {
  const names = { readKeyrings: true, putKeyring: true, put: true, list: true, read: true, drop: true } as const;
  const more = { listSlots: true, findSlots: true, countUploads: true, count: true } as const;
  return lateMethods<SealedStore>({ ...names, ...more }, () => createSealedStore(database));
}

function lateTransfer(database: SqlDatabase, replica: ReplicaId): Omit<Transfer, 'replica'> {
  const names = { readRecordRows: true, readSideRows: true, readIdentityRows: true, readState: true } as const;
  const more = { countRows: true, takeIn: true, takeInIdentities: true } as const;
  return lateMethods<Omit<Transfer, 'replica'>>({ ...names, ...more }, () => createTransfer(database, replica));
}

/** Where the database cannot give them together, one after the other: what it cannot give is told, the rest is there. */
async function oneByOne<T>(
  ids: readonly RecordId[],
  note: NoteDamage | undefined,
  read: (ids: readonly RecordId[], note: NoteDamage | undefined) => Promise<T[]>,
): Promise<T[]> {
  const collected = collectDamage();
  try {
    const found = await read(ids, note === undefined ? undefined : collected.note);
    for (const damage of collected.noted) note?.(damage);
    return found;
  } catch (error) {
    if (note === undefined || !(error instanceof EngineError) || error.code !== 'storage_damaged') throw error;
    if (ids.length === 1) note({ what: 'record', id: ids[0]! });
    const found: T[] = [];
    for (const id of ids.length > 1 ? ids : []) found.push(...(await oneByOne([id], note, read)));
    return found;
  }
}

function recordMethods(database: SqlDatabase) {
  const { read } = database;
  return {
    getRecords: (space, ids, note) =>
      oneByOne(ids, note, (some, tell) => read({ space }, () => getRecords(space, some, tell), { isMostlyOne: true })),
    listVersions: (space, id, note) => read({ space }, () => listVersions(space, id, note)),
    listReplaced: (space, page) => read({ space }, () => listReplaced(space, page)),
    listRelations: (space, ids, note) => read({ space }, () => listRelations(space, ids, note)),
    relationsBetween: (space, ends, note) => read({ space }, () => relationsBetween(space, { ...ends, note })),
    scanRelations: (space, page, note) => read({ space }, () => scanRelations(space, { ...page, note })),
    listGraves: (space, after, limit, note) => read({ space }, () => listGraves(space, { after, limit, note })),
    countLabels: (space, label, except) => read({ space }, () => countLabels(space, label, except)),
    lastNumber: (space) => read({ space }, () => readLastNumber(space)),
    findReceipt: (space, key) => read({ space }, () => findReceipt(space, key)),
    listDeletions: (space, which) => read({ space }, () => listDeletions(space, which)),
    pruneReceipts: (space, before, limit) => pruneReceipts(database, space, { before, limit }),
  } satisfies Partial<Store>;
}

function indexMethods({ database, clock, readSegmentBytes, openPieces }: SqlStoreParts) {
  const { read } = database;
  return {
    head: (space) => read({ space }, () => readHead(space), { isMostlyOne: true }),
    changesAfter: (space, after, limit, note) => read({ space }, () => readChangesAfter(space, { after, limit, note })),
    readIndexEntries: (space, ids) => read({ space }, () => readIndexEntries(space, ids)),
    listIds: (space, page) => read({ space }, () => listIds(space, page)),
    readPassages: (space, ids) => read({ space }, () => readSoundPassages(space, ids)),
    listUnembedded: createListUnembedded(database),
    dropVectors: (space, embedder) => dropVectors(database, space, embedder),
    listSegments: async (space) => (await read({ space }, () => listLiveSegments(space))).map(({ id }) => id),
    async readSegments(space, ids: readonly SegmentId[]) {
      const segments: Segment[] = [];
      for (const row of await read({ space }, () => listLiveSegments(space))) {
        if (!ids.includes(row.id)) continue;
        const bytes = await readSegmentBytes(space, row);
        if (bytes !== null) segments.push(toSegment(row, bytes));
        await nextTurn();
      }
      return segments;
    },
    ...(openPieces !== undefined && {
      async openSegment(space: SpaceId, id: SegmentId) {
        const row = (await read({ space }, () => listLiveSegments(space))).find((live) => live.id === id);
        return row === undefined ? null : openPieces(space, row);
      },
    }),
    replaceSegments: (space, old, next) => replaceSegments(database, { space, old, next, now: clock.now() }),
  } satisfies Partial<Store>;
}

function countingMethods({ database, clock, reads, contentSearch }: SqlStoreParts) {
  return {
    async recordReads(space, ids, at) {
      reads.count(space, ids, at);
    },
    async readStatistics(space, ids) {
      await reads.flush();
      return database.read({ space }, () => readStatistics(space, ids));
    },
    async listRecords(space, filter, page, note) {
      if (filter.idleSince !== undefined) await reads.flush();
      const request = { space, filter, range: readRange(page), now: clock.now(), note };
      const { contains = '', tags = [] } = filter;
      // With tags each piece would go through all of their records again.
      if (contains !== '' && tags.length === 0 && 'condition' in contentSearch)
        return listContaining(database, { ...request, filter: { ...filter, contains } });
      return database.read({ space }, () => listRecords(request, contentSearch), { isMostlyOne: page.total === false });
    },
    lastChange: (space, filter) => database.read({ space }, () => lastChange(space, filter, clock.now())),
  } satisfies Partial<Store>;
}

function createLeases(database: SqlDatabase): Leases {
  return {
    async takeLease(name, holder, until, now) {
      // Most askers find it taken; they need not write to learn that.
      const current = await database.read('no_space', () =>
        find<{ holder: string; until: Instant }>('SELECT holder, until FROM leases WHERE name = $1', name),
      );
      // All who take a lease of this name take it for as long, and their clocks differ by less than that.
      const latest = until + (until - now);
      const isHeld = current !== undefined && current.until > now && current.until <= latest;
      if (isHeld && current.holder !== holder) return false;
      const take = () =>
        write(
          `INSERT INTO leases (name, holder, until) VALUES ($1, $2, $3)
           ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
             WHERE leases.holder = excluded.holder OR leases.until <= $4 OR leases.until > $5`,
          name,
          holder,
          until,
          now,
          latest,
        );
      return (await database.write('no_space', take)) > 0;
    },
    async releaseLease(name, holder) {
      const release = () => write('DELETE FROM leases WHERE name = $1 AND holder = $2', name, holder);
      await database.write('no_space', release, { frees: true });
    },
  };
}

type Row = { believed_at: Instant; doubted_at: Instant | null; doubt_ran_ms: number };

function createSeenTime(database: SqlDatabase): SeenTimes {
  return {
    async readTime(): Promise<SeenTime> {
      const row = await database.read('no_space', () =>
        find<Row>('SELECT believed_at, doubted_at, doubt_ran_ms FROM replica'),
      );
      return {
        believedAt: row?.believed_at ?? 0,
        doubtedAt: row?.doubted_at ?? null,
        doubtRanMs: row?.doubt_ran_ms ?? 0,
      };
    },
    async keepTime({ believedAt, doubtedAt, doubtRanMs }) {
      const keep = () =>
        write(
          'UPDATE replica SET believed_at = $1, doubted_at = $2, doubt_ran_ms = $3',
          believedAt,
          doubtedAt,
          Math.round(doubtRanMs),
        );
      await database.write('no_space', keep, { frees: true });
    },
  };
}

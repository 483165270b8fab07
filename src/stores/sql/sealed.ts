import { EngineError } from '../../model/errors.ts';
import type { Instant, SpaceId } from '../../model/ids.ts';
import type {
  KeptKeyring,
  KeptUpload,
  SealedCounts,
  SealedStore,
  SealedUpload,
  UploadFacts,
  UploadTaking,
} from '../../model/sealed.ts';
import { groupsOf } from './chunks.ts';
import { lockHead, makeSpace } from './feed.ts';
import {
  count,
  exists,
  find,
  write as remove,
  type SqlDatabase,
  type Steps,
  select,
  send,
  sendRows,
} from './statements.ts';
import { matchesSum, SEALED, summedColumns, withSum } from './sums.ts';

/** Few enough that a transaction of them is some megabytes. */
const AT_ONCE = 20;
/** As many names as a statement takes with ease. */
const NAMES = 100;
/** Fills a transaction. */
const WEIGHT = 500;
/** Keyrings have the place of a slot that no record can have. */
const KEYRINGS = '';

const INTO = {
  table: SEALED.table,
  columns: summedColumns(SEALED),
  conflict: 'ON CONFLICT (space_id, upload) DO NOTHING',
};

type SealedRow = {
  slot: string;
  upload: string;
  seq: number;
  generation: number;
  buried: number;
  key_id: string;
  member: string;
  tag: string;
  body: Uint8Array;
  crc: number | null;
};
type FactRow = Pick<SealedRow, 'slot' | 'upload' | 'seq' | 'buried' | 'key_id' | 'tag'> & { user_id: string };

export function createSealedStore(database: SqlDatabase): SealedStore {
  const { read, write } = database;
  const readNamed = async (space: SpaceId, names: readonly string[]): Promise<KeptUpload[]> => {
    const found: KeptUpload[] = [];
    for (const some of groupsOf(names, AT_ONCE))
      found.push(...(await read({ space }, () => readWhole(space, some))).map(toUpload));
    return found.sort((a, b) => a.seq - b.seq);
  };
  return {
    readKeyrings: (space, after) => read({ space }, () => readKeyrings(space, after)),
    putKeyring: (space, keyring, at) => write({ space }, () => putKeyring(space, keyring, at)),
    async put(space, uploads, taking) {
      for (const some of groupsOf(uploads, AT_ONCE)) {
        const scrub = some.some(({ buried }) => buried > 0);
        const isKept = await write({ space }, () => putUploads(space, some, taking), { weight: WEIGHT, scrub });
        if (!isKept) return 'other_key';
      }
      return 'kept';
    },
    async list(space, { after, without, limit, bytes }) {
      const page = await read({ space }, () => listSizes(space, after, limit));
      const names: string[] = [];
      let [room, last] = [bytes, after];
      for (const { upload, seq, link, size } of page) {
        if (link !== without) {
          if (names.length > 0 && size > room) return { uploads: await readNamed(space, names), last, isLast: false };
          names.push(upload);
          room -= size;
        }
        last = seq;
      }
      return { uploads: await readNamed(space, names), last, isLast: page.length < limit };
    },
    read: readNamed,
    drop: (space, names) => write({ space }, () => dropUploads(space, names), { scrub: true, frees: true }),
    listSlots: (space, page) => read({ space }, () => listSlots(space, page)),
    async findSlots(space, slots) {
      const found: UploadFacts[] = [];
      for (const some of groupsOf(slots, NAMES)) found.push(...(await read({ space }, () => findSlots(space, some))));
      return found;
    },
    // Keyrings have no number.
    countUploads: (space) =>
      read({ space }, () => count('SELECT count(*) AS n FROM sealed WHERE space_id = $1 AND seq > 0', space)),
    count: (space) => read({ space }, () => countSealed(space)),
  };
}

function* readKeyrings(space: SpaceId, after: number): Steps<KeptKeyring[]> {
  const rows = yield* select<SealedRow>(
    `SELECT ${summedColumns(SEALED).join(', ')} FROM sealed WHERE space_id = $1 AND slot = $2 AND generation > $3 ORDER BY generation`,
    space,
    KEYRINGS,
    after,
  );
  return rows.map((row) => {
    if (!matchesSum(row, SEALED)) throw damaged('A list of keys', row.upload);
    return { revision: row.generation, keyId: row.key_id, text: Buffer.from(row.body).toString('utf8') };
  });
}

function damaged(what: string, id: string): EngineError {
  return new EngineError('storage_damaged', `${what} of a sealed space is damaged.`, {
    hint: 'Restore the database from a backup; machines that have the key bring what is newer.',
    details: { what: 'sealed', id },
  });
}

/** The feed's head is held: nobody writes a record meanwhile, nor another keyring. */
function* putKeyring(
  space: SpaceId,
  { revision, keyId, text }: KeptKeyring,
  at: Instant,
): Steps<'kept' | 'outrun' | 'occupied'> {
  if ((yield* lockHead(space)) === null) {
    yield* makeSpace(space, at);
    yield* lockHead(space);
  }
  const newest = yield* readNewest(space);
  if (revision !== (newest?.revision ?? 0) + 1) return 'outrun';
  if (newest === undefined && (yield* exists('SELECT 1 FROM records WHERE space_id = $1 LIMIT 1', space)))
    return 'occupied';
  const upload = `keyring ${String(revision).padStart(8, '0')}`;
  const body = Buffer.from(text, 'utf8');
  const values = [upload, KEYRINGS, 0, revision, 0, keyId, '', '', '', '', at, body];
  yield* sendRows({ into: INTO, space, rows: [withSum(values)] });
  yield* markSealed(space);
  return 'kept';
}

/** Where rows came without a commit that would say so. */
export function* markSealed(space: SpaceId): Steps<void> {
  if ((yield* readNewest(space)) === undefined) return;
  const last = yield* count('SELECT max(seq) AS n FROM sealed WHERE space_id = $1', space);
  yield* send('UPDATE feed_heads SET sealed = $2 WHERE space_id = $1 AND sealed < $2', space, last + 1);
}

function readNewest(space: SpaceId): Steps<{ revision: number; key_id: string } | undefined> {
  return find(
    'SELECT generation AS revision, key_id FROM sealed WHERE space_id = $1 AND slot = $2 ORDER BY generation DESC LIMIT 1',
    space,
    KEYRINGS,
  );
}

/** What was taken in goes, and what was purged goes whoever has it; those that say of a later purge stay. */
const TAKE_IN = `DELETE FROM sealed WHERE space_id = $1 AND slot = $2 AND upload <> $3
  AND ((seq <= $4 AND NOT (upload = ANY ($5::text[]))) OR (generation <= $6 AND buried <= $6 AND $6 > 0))`;

/** False, with nothing written: they are sealed with a key that is not in use. */
function* putUploads(
  space: SpaceId,
  uploads: readonly (SealedUpload & { keeps: readonly string[] })[],
  { upTo, keyId, link, userId, at }: UploadTaking,
): Steps<boolean> {
  const head = yield* lockHead(space);
  if (head === null || (yield* readNewest(space))?.key_id !== keyId) return false;
  let seq = head.sealed - 1;
  for (const { keeps, ...one } of uploads) {
    if (yield* exists('SELECT 1 FROM sealed WHERE space_id = $1 AND upload = $2', space, one.upload)) continue;
    seq += 1;
    const { slot, upload, generation, buried, member, tag, body } = one;
    const values = [upload, slot, seq, generation, buried, keyId, member, tag, link, userId, at, body];
    yield* sendRows({ into: INTO, space, rows: [withSum(values)] });
    yield* send(TAKE_IN, space, slot, upload, upTo, keeps, buried);
  }
  yield* send('UPDATE feed_heads SET sealed = $2 WHERE space_id = $1', space, seq + 1);
  return true;
}

type SizeRow = { upload: string; seq: number; link: string; size: number };

function listSizes(space: SpaceId, after: number, limit: number): Steps<readonly SizeRow[]> {
  return select(
    'SELECT upload, seq, link, length(body) AS size FROM sealed WHERE space_id = $1 AND seq > $2 ORDER BY seq LIMIT $3',
    space,
    after,
    limit,
  );
}

function* readWhole(space: SpaceId, names: readonly string[]): Steps<SealedRow[]> {
  const rows = yield* select<SealedRow>(
    `SELECT ${summedColumns(SEALED).join(', ')} FROM sealed WHERE space_id = $1 AND slot <> $2 AND upload = ANY ($3::text[])`,
    space,
    KEYRINGS,
    names,
  );
  // One that is damaged is not passed on: whoever has the record finds it missing and brings it again.
  return rows.filter((row) => matchesSum(row, SEALED));
}

function toUpload({ slot, upload, seq, generation, buried, key_id, member, tag, body }: SealedRow): KeptUpload {
  return { slot, upload, seq, generation, buried, keyId: key_id, member, tag, body };
}

/** A number of its own, so that whoever has compared looks again. */
function* dropUploads(space: SpaceId, names: readonly string[]): Steps<number> {
  yield* lockHead(space);
  const dropped = yield* remove(
    'DELETE FROM sealed WHERE space_id = $1 AND slot <> $2 AND upload = ANY ($3::text[])',
    space,
    KEYRINGS,
    names,
  );
  if (dropped > 0) yield* send('UPDATE feed_heads SET sealed = sealed + 1 WHERE space_id = $1 AND sealed > 0', space);
  return dropped;
}

const FACTS = 'slot, upload, seq, buried, key_id, tag, user_id';

function* listSlots(space: SpaceId, { after, limit }: { after: string; limit: number }): Steps<UploadFacts[]> {
  const end = yield* find<{ slot: string | null }>(
    `SELECT max(slot) AS slot FROM (
       SELECT DISTINCT slot FROM sealed WHERE space_id = $1 AND slot > $2 ORDER BY slot LIMIT ${Number(limit)}) AS next`,
    space,
    after,
  );
  if (end?.slot == null) return [];
  const rows = yield* select<FactRow>(
    `SELECT ${FACTS} FROM sealed WHERE space_id = $1 AND slot > $2 AND slot <= $3 ORDER BY slot, seq`,
    space,
    after,
    end.slot,
  );
  return rows.map(toFacts);
}

function* findSlots(space: SpaceId, slots: readonly string[]): Steps<UploadFacts[]> {
  const rows = yield* select<FactRow>(
    `SELECT ${FACTS} FROM sealed WHERE space_id = $1 AND slot <> $2 AND slot = ANY ($3::text[]) ORDER BY slot, seq`,
    space,
    KEYRINGS,
    slots,
  );
  return rows.map(toFacts);
}

function toFacts({ slot, upload, seq, buried, key_id, tag, user_id }: FactRow): UploadFacts {
  return { slot, upload, seq, buried, keyId: key_id, tag, userId: user_id };
}

function* countSealed(space: SpaceId): Steps<SealedCounts> {
  const rows = yield* select<{ key_id: string; uploads: number; bytes: number }>(
    `SELECT key_id, count(*) AS uploads, CAST(sum(length(body)) AS bigint) AS bytes FROM sealed
     WHERE space_id = $1 AND slot <> $2 GROUP BY key_id ORDER BY key_id`,
    space,
    KEYRINGS,
  );
  const slots = yield* count(
    'SELECT count(DISTINCT slot) AS n FROM sealed WHERE space_id = $1 AND slot <> $2',
    space,
    KEYRINGS,
  );
  return {
    uploads: rows.reduce((sum, row) => sum + row.uploads, 0),
    slots,
    bytes: rows.reduce((sum, row) => sum + row.bytes, 0),
    keys: Object.fromEntries(rows.map((row) => [row.key_id, row.uploads])),
  };
}

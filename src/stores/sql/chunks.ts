import type { Chunk, ChunkFacts, ChunkStore } from '../../model/chunk.ts';
import { EngineError } from '../../model/errors.ts';
import type { Instant, SpaceId } from '../../model/ids.ts';
import { type SqlDatabase, type SqlValue, type Steps, select, send, sendRows, write } from './statements.ts';
import { CHUNKS, matchesSum, summedColumns, withSum } from './sums.ts';
import { CHUNK_WALK, findUnsound } from './walk-sums.ts';

/** Few enough that a transaction of them is some megabytes. */
const AT_ONCE = 20;
/** As many names as a statement takes with ease. */
const NAMES = 500;
/** Fills a transaction. */
const WEIGHT = 500;
/** One that is this much newer than its mark need not be marked again. */
const MARK_EVERY_MS = 3_600_000;

const INTO = {
  table: 'chunks',
  columns: [...summedColumns(CHUNKS), 'clean', 'stored_at'],
  // The same name is the same piece, but what is there may be damaged.
  conflict: `ON CONFLICT (space_id, sha256) DO UPDATE SET stored_at = excluded.stored_at,
    clean = CASE WHEN excluded.clean = 1 THEN 1 ELSE chunks.clean END, ${['bytes', 'lines', 'alias', 'packed', 'crc'].map((name) => `${name} = excluded.${name}`).join(', ')}`,
};

type ChunkRow = { sha256: string; bytes: number; lines: number; alias: string | null; clean: number };
type WholeRow = ChunkRow & { packed: Uint8Array; crc: number | null };

export function createChunkStore(database: SqlDatabase): ChunkStore {
  return {
    async put(space, chunks, at) {
      const distinct = [...new Map(chunks.map((chunk) => [chunk.sha256, chunk])).values()];
      for (const some of groupsOf(distinct, AT_ONCE)) {
        const rows = some.map((chunk) => [...withSum(valuesOf(chunk)), chunk.clean ? 1 : 0, at]);
        await database.write({ space }, () => sendRows({ into: INTO, space, rows }), { weight: WEIGHT });
      }
    },
    async find(space, names, at) {
      const found: ChunkFacts[] = [];
      for (const some of groupsOf(names, NAMES)) {
        const rows = await database.read({ space }, () => findFacts(space, some));
        found.push(...rows.map((row) => ({ ...row, clean: row.clean === 1 })));
        if (at !== undefined) await database.write({ space }, () => markKept(space, some, at));
      }
      return found;
    },
    async read(space, names) {
      const chunks: Chunk[] = [];
      for (const some of groupsOf(names, AT_ONCE)) {
        const rows = await database.read({ space }, () => readWhole(space, some));
        const byName = new Map(rows.map((row) => [row.sha256, row]));
        chunks.push(...some.map((name) => soundChunk(name, byName.get(name))));
      }
      return chunks;
    },
    list: (space, after, limit) =>
      database.read({ space }, function* () {
        const rows = yield* select<{ sha256: string; stored_at: Instant }>(
          'SELECT sha256, stored_at FROM chunks WHERE space_id = $1 AND sha256 > $2 ORDER BY sha256 LIMIT $3',
          space,
          after,
          limit,
        );
        return rows.map(({ sha256, stored_at }) => ({ sha256, storedAt: stored_at }));
      }),
    async drop(space, names) {
      for (const some of groupsOf(names, AT_ONCE)) {
        const remove = () => write('DELETE FROM chunks WHERE space_id = $1 AND sha256 = ANY ($2::text[])', space, some);
        await database.write({ space }, remove, { weight: WEIGHT, scrub: true, frees: true });
      }
    },
  };
}

export function* groupsOf<T>(list: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size);
}

/** In the order of the columns. */
function valuesOf({ sha256, bytes, lines, alias, packed }: Chunk): SqlValue[] {
  return [sha256, bytes, lines, alias, packed];
}

function findFacts(space: SpaceId, names: readonly string[]): Steps<readonly ChunkRow[]> {
  return select<ChunkRow>(
    'SELECT sha256, bytes, lines, alias, clean FROM chunks WHERE space_id = $1 AND sha256 = ANY ($2::text[])',
    space,
    names,
  );
}

function markKept(space: SpaceId, names: readonly string[], at: Instant): Steps<void> {
  return send(
    'UPDATE chunks SET stored_at = $3 WHERE space_id = $1 AND sha256 = ANY ($2::text[]) AND stored_at < $4',
    space,
    names,
    at,
    at - MARK_EVERY_MS,
  );
}

function readWhole(space: SpaceId, names: readonly string[]): Steps<readonly WholeRow[]> {
  return select<WholeRow>(
    `SELECT ${summedColumns(CHUNKS).join(', ')}, clean FROM chunks WHERE space_id = $1 AND sha256 = ANY ($2::text[])`,
    space,
    names,
  );
}

/** Kept, one would count as there, and nobody would send it again. */
export async function dropUnsoundChunks(database: SqlDatabase, space: SpaceId): Promise<number> {
  const names = (await findUnsound(database, space, CHUNK_WALK)).map(({ sha256 }) => String(sha256));
  if (names.length > 0) await createChunkStore(database).drop(space, names);
  return names.length;
}

function soundChunk(name: string, row: WholeRow | undefined): Chunk {
  if (row !== undefined && matchesSum(row, CHUNKS)) {
    const { sha256, bytes, lines, alias, packed } = row;
    return { sha256, bytes, lines, alias, clean: row.clean === 1, packed };
  }
  const what = row === undefined ? 'missing' : 'damaged';
  throw new EngineError('storage_damaged', `A piece of a transcript is ${what}.`, {
    hint: 'Run `ltm doctor`; uploading the session again brings it back.',
    details: { what: 'chunk', id: name },
  });
}

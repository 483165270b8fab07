import type { SpaceId } from '../../model/ids.ts';
import type { EmbedderId } from '../../model/passage.ts';
import type { SqlDatabase } from './sql-database.ts';
import { type Steps, select, write } from './statements.ts';

/** Records of one transaction: it must not hold up others. */
const AT_ONCE = 300;

/** Vectors are derived from passages and make no feed entry: an index that still holds them is not wrong, only larger. */
export async function dropVectors(database: SqlDatabase, space: SpaceId, embedder: EmbedderId): Promise<number> {
  let dropped = 0;
  for (let last: string | undefined = ''; last !== undefined; ) {
    const from: string = last;
    const step = await database.write({ space }, () => dropNext({ space, embedder, from }), { weight: AT_ONCE });
    dropped += step.dropped;
    last = step.to;
  }
  return dropped;
}

function* dropNext({ space, embedder, from }: { space: SpaceId; embedder: EmbedderId; from: string }): Steps<{
  dropped: number;
  to: string | undefined;
}> {
  const next = yield* select<{ record_id: string }>(
    'SELECT DISTINCT record_id FROM vectors WHERE space_id = $1 AND record_id > $2 ORDER BY record_id LIMIT $3',
    ...[space, from, AT_ONCE],
  );
  const to = next.at(-1)?.record_id;
  if (to === undefined) return { dropped: 0, to };
  const dropped = yield* write(
    'DELETE FROM vectors WHERE space_id = $1 AND embedder = $2 AND record_id > $3 AND record_id <= $4',
    ...[space, embedder, from, to],
  );
  return { dropped, to };
}

import type { SpaceId } from '../../model/ids.ts';
import type { EmbedderId } from '../../model/passage.ts';
import type { Connection } from './connection.ts';
import type { WriterQueue } from './writer-queue.ts';

/** Records of one transaction: it must not hold up other processes. */
const AT_ONCE = 300;

const NEXT = 'SELECT DISTINCT record_id FROM vectors WHERE space_id = ? AND record_id > ? ORDER BY record_id LIMIT ?';
const DELETE = 'DELETE FROM vectors WHERE space_id = ? AND embedder = ? AND record_id > ? AND record_id <= ?';

/** Vectors are derived from passages and make no feed entry: an index that still holds them is not wrong, only larger. */
export async function dropVectors(
  connection: Connection,
  queue: WriterQueue,
  { space, embedder }: { space: SpaceId; embedder: EmbedderId },
): Promise<number> {
  let dropped = 0;
  for (let last: string | undefined = ''; last !== undefined; ) {
    const from: string = last;
    const step = await queue.write(() => ({ keep: true, value: dropNext(connection, { space, embedder, from }) }), {
      weight: AT_ONCE,
    });
    dropped += step.dropped;
    last = step.to;
  }
  return dropped;
}

function dropNext(
  connection: Connection,
  { space, embedder, from }: { space: SpaceId; embedder: EmbedderId; from: string },
) {
  const ids = connection.statement(NEXT).all(space, from, AT_ONCE) as { record_id: string }[];
  const to = ids.at(-1)?.record_id;
  if (to === undefined) return { dropped: 0, to };
  return { dropped: Number(connection.statement(DELETE).run(space, embedder, from, to).changes), to };
}

import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { Json } from '../../model/json.ts';
import type { StoredRecord } from '../../model/record.ts';
import { formatStamps, parseStamps, type Stamps } from '../../model/stamps.ts';
import { type CommitWork, findRival, readStanding, writeRow } from './commit-work.ts';
import type { RecordRowWithSums } from './record-row.ts';
import { replaceStamps } from './stamp-writes.ts';
import { type Steps, select, send, sendRows } from './statements.ts';

const WAITING_KEY = 'key ';
const WAIT = { table: 'waiting', columns: ['name', 'record_id'], conflict: 'ON CONFLICT DO NOTHING' };

type Taken = Omit<StoredRecord, 'revision'>;

/**
 * Two replicas may give the same key before they meet. The smallest id holds it, the others show it with their own id behind; their stamps keep the
 * key that was given, so that nothing of this travels.
 */
export function* shareKey<Record extends Taken>(
  work: CommitWork,
  { record, stamps }: { record: Record; stamps: string | null },
): Steps<{ record: Record; stamps: string | null }> {
  const { space, index } = work;
  const { id, kind, project, key, deletedAt } = record;
  if (key === null || deletedAt !== null) return { record, stamps };
  const rival = yield* findRival(index, { space, id, kind, project, key, contentHash: null });
  if (rival === null || !('id' in rival)) return { record, stamps };
  if (rival.id > id) {
    yield* rename(work, rival.id, `${key}~${rival.id}`);
    return { record, stamps };
  }
  yield* wait(space, key, id);
  return { record: { ...record, key: `${key}~${id}` }, stamps: keepKey(stamps, record, key) };
}

function* wait(space: SpaceId, key: string, id: RecordId): Steps<void> {
  yield* sendRows({ into: WAIT, space, rows: [[WAITING_KEY + key, id]] });
}

/** The key that was given, beside the one that is shown; null: they are the same again. */
function keepKey(
  text: string | null,
  record: Pick<StoredRecord, 'dot' | 'updatedAt'>,
  key: string | null,
): string | null {
  const stamps = parseStamps(text, record);
  const [dot, time] = stamps.base;
  const { value: _, ...own } = stamps.fields.key ?? { dot, time };
  const field = key === null ? own : { ...own, value: key as Json };
  const { key: __, ...others } = stamps.fields;
  const fields: Stamps['fields'] = key === null && own.dot === dot ? others : { ...others, key: field };
  return formatStamps({ ...stamps, fields }, record);
}

function* rename(work: CommitWork, id: RecordId, shown: string): Steps<void> {
  const { row, stamps } = yield* readStanding(work, id);
  if (row === undefined) return;
  const isOwn = !shown.endsWith(`~${id}`);
  const state = keepKey(stamps?.state ?? null, { dot: row.dot, updatedAt: row.updated_at }, isOwn ? null : row.key);
  const { feed_seq: _, checksum: __, passages_checksum: passagesChecksum, ...rest } = row;
  const { quick: ___, versions_sum: versionsSum, ...kept } = rest;
  const next = { ...kept, revision: row.revision + 1, key: shown };
  yield* writeRow(work, 'updated', { row: next, passagesChecksum, versionsSum, previous: row });
  yield* replaceStamps(work.space, id, { had: stamps, generation: row.generation, state });
  if (!isOwn && row.key !== null) yield* wait(work.space, row.key, id);
}

/** Gives keys back that their holders have let go since. */
export function* settleKeys(work: CommitWork): Steps<void> {
  const { space, index } = work;
  const waiting = yield* select<{ name: string; record_id: RecordId }>(
    'SELECT name, record_id FROM waiting WHERE space_id = $1 AND substr(name, 1, $2) = $3 ORDER BY name, record_id',
    space,
    WAITING_KEY.length,
    WAITING_KEY,
  );
  for (const { name, record_id: id } of waiting) {
    const key = name.slice(WAITING_KEY.length);
    const { row } = yield* readStanding(work, id);
    const isWaiting = isShownFor(row, key);
    if (isWaiting) {
      const { kind, project } = row!;
      if ((yield* findRival(index, { space, id, kind, project, key, contentHash: null })) !== null) continue;
      yield* rename(work, id, key);
    }
    yield* send('DELETE FROM waiting WHERE space_id = $1 AND name = $2 AND record_id = $3', space, name, id);
  }
}

function isShownFor(row: RecordRowWithSums | undefined, key: string): boolean {
  return row !== undefined && row.deleted_at === null && row.key === `${key}~${row.id}`;
}

import type { RecordId, SpaceId } from '../../model/ids.ts';
import { PASSAGE_COLUMNS, type PlacedPassage, textOf } from './passage-places.ts';
import { type Steps, send, sendRows } from './statements.ts';

const PASSAGES = { table: 'passages', columns: ['record_id', ...PASSAGE_COLUMNS] };

interface PassageWrite {
  before: readonly PlacedPassage[];
  after: readonly PlacedPassage[];
  /** What those before said, and the content of the record from now on. */
  texts: ReadonlyMap<number, string>;
  content: string;
}

/** A passage whose text stays as it was keeps its row, and with it the vectors it has; it may lie elsewhere. */
export function* writePassages(
  space: SpaceId,
  id: RecordId,
  { before, after, texts, content }: PassageWrite,
): Steps<void> {
  const kept = new Map(before.map((placed) => [placed.ordinal, placed]));
  const stays = (placed: PlacedPassage) => texts.get(placed.ordinal) === textOf(placed, content);
  const staying = new Map(after.filter(stays).map((placed) => [placed.ordinal, placed]));
  const gone = before.filter(({ ordinal }) => !staying.has(ordinal)).map(({ ordinal }) => ordinal);
  if (gone.length > 0)
    yield* send(
      'DELETE FROM passages WHERE space_id = $1 AND record_id = $2 AND ordinal = ANY ($3::bigint[])',
      space,
      id,
      gone,
    );
  for (const { ordinal, text, starts_at, ends_at } of staying.values()) {
    const old = kept.get(ordinal)!;
    if (old.text === text && old.starts_at === starts_at && old.ends_at === ends_at) continue;
    yield* send(
      'UPDATE passages SET text = $4, starts_at = $5, ends_at = $6 WHERE space_id = $1 AND record_id = $2 AND ordinal = $3',
      space,
      id,
      ordinal,
      text,
      starts_at,
      ends_at,
    );
  }
  const fresh = after.filter(({ ordinal }) => !staying.has(ordinal));
  const rows = fresh.map(({ ordinal, text, starts_at, ends_at }) => [id, ordinal, text, starts_at, ends_at]);
  yield* sendRows({ into: PASSAGES, space, rows });
}

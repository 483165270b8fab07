import { foldCase } from '../../model/fold-case.ts';
import type { Place } from '../../model/list-place.ts';
import type { Conditions, FoundPlaces, Range } from '../sql/list-records.ts';
import { type Steps, select } from '../sql/statements.ts';

/** Contents read at a time. */
const BATCH = 500;

type Candidate = { id: string; created_at: number; content: string | null };

/**
 * Case is folded by JavaScript's rules, as on SQLite; PostgreSQL's depend on the server's locale. Contents of ASCII alone, where the rules agree,
 * are decided by the server; only the others come here to be looked at.
 */
export function* findContaining(
  conditions: Conditions,
  { contains, range }: { contains: string; range: Range },
): Steps<FoundPlaces> {
  const wanted = foldCase(contains);
  const places: Place[] = [];
  let total = 0;
  let skip = range.offset;
  for (let after: Place | null = range.total ? null : range.start; ; ) {
    const rows: readonly Candidate[] = yield* readCandidates(conditions, { wanted, after });
    for (const { id, created_at: createdAt, content } of rows) {
      if (content !== null && !foldCase(content).includes(wanted)) continue;
      total++;
      if (range.start !== null && !isAfter(range.start, { createdAt, id })) continue;
      if (skip > 0) skip--;
      else if (places.length <= range.limit) places.push({ createdAt, id });
    }
    const last = rows.at(-1);
    const isEnough = !range.total && places.length > range.limit;
    if (last === undefined || rows.length < BATCH || isEnough) return { places, total: range.total ? total : 0 };
    after = { createdAt: last.created_at, id: last.id };
  }
}

/** Newest first; with a content only where it must be looked at. */
function readCandidates(
  { sql, values }: Conditions,
  { wanted, after }: { wanted: string; after: Place | null },
): Steps<readonly Candidate[]> {
  const next = values.length + 1;
  const isOther = 'octet_length(content) <> char_length(content)';
  const decided =
    Buffer.byteLength(wanted) === wanted.length
      ? `strpos(lower(content COLLATE "C"), $${next}::text) > 0`
      : `$${next}::text IS NULL`;
  const place = after === null ? '' : `AND (created_at, id) < ($${next + 1}, $${next + 2})`;
  return select<Candidate>(
    `SELECT id, created_at, CASE WHEN ${isOther} THEN content END AS content FROM records
     WHERE ${sql} AND (${isOther} OR ${decided}) ${place} ORDER BY created_at DESC, id DESC LIMIT ${BATCH}`,
    ...values,
    wanted,
    ...(after === null ? [] : [after.createdAt, after.id]),
  );
}

/** In the order of a listing, newest first. */
function isAfter(start: Place, place: Place): boolean {
  return place.createdAt < start.createdAt || (place.createdAt === start.createdAt && place.id < start.id);
}

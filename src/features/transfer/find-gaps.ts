import type { EngineParts } from '../../engine/engine-parts.ts';
import { findHidden } from '../../engine/records/second-opinion.ts';
import type { Damage, ExpectedRows } from '../../model/damage.ts';
import type { ListFilter } from '../../model/filter.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { ExportCounts, ExportOptions } from './export-records.ts';

/** What is missing although nothing that was read is damaged: by its id, or how many where nobody can name it. */
export type Gap = Damage | { what: Damage['what']; missing: number };

interface Exporting {
  space: SpaceId;
  filter: ListFilter;
  options: ExportOptions;
  exported: ReadonlySet<RecordId>;
  counts: ExportCounts;
  /** What there should have been when it began. */
  before: ExpectedRows | null;
}

/** Rows that the database no longer finds: what was written is compared with the counts that commits keep, and with the index. */
export async function findGaps(
  parts: EngineParts,
  { space, filter, options, exported, counts, before }: Exporting,
  noted: readonly Damage[],
): Promise<Gap[]> {
  const named = new Set(noted.filter(({ what }) => what === 'record').map(({ id }) => id));
  const hidden = await findHidden(parts, {
    space,
    filter: { ...filter, deleted: 'exclude' },
    head: before?.head ?? null,
    isListed: (id) => exported.has(id) || named.has(id),
  });
  const gaps: Gap[] = hidden.map((id) => ({ what: 'record', id }));
  const after = options.filter === undefined ? await parts.store.expectedRows(space) : null;
  // Whoever wrote meanwhile has made the two incomparable.
  if (after === null || after.head !== before?.head) return gaps;
  const expected = options.includeDeleted === false ? after.live : after.records;
  const records = expected - exported.size - named.size - hidden.length;
  if (records > 0) gaps.push({ what: 'record', missing: records });
  const graves = after.graves - counts.graves - noted.filter(({ what }) => what === 'grave').length;
  if (graves > 0) gaps.push({ what: 'grave', missing: graves });
  return gaps;
}

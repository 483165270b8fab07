import type { Caller } from '../../model/caller.ts';
import type { ListFilter } from '../../model/filter.ts';
import type { RecordKind } from '../../model/record.ts';
import type { EngineParts } from '../engine-parts.ts';
import { checkText, invalid, readCheckedTags } from './check-text.ts';

export interface FilterInput {
  filter?: ListFilter;
  /** Time texts, read in the caller's zone. */
  after?: string;
  before?: string;
}

/** A filter as the store wants it: known kinds, clean tags, times as instants, validity judged now. `kind` holds where the filter names none. */
export async function readFilter(
  parts: EngineParts,
  caller: Caller,
  { filter: given, after, before, kind }: FilterInput & { kind?: RecordKind },
): Promise<ListFilter> {
  const filter: ListFilter = { ...given, kinds: given?.kinds ?? (kind === undefined ? undefined : [kind]) };
  parts.kinds.check(filter.kinds);
  if (filter.tags !== undefined) {
    filter.tags = readCheckedTags(filter.tags);
    if (filter.tags.length === 0 && given?.tags?.length !== 0) throw invalid('tags', 'holds no tag');
  }
  if (filter.contains !== undefined) checkText('contains', filter.contains);
  if (filter.contentHash !== undefined) filter.contentHash = filter.contentHash.toLowerCase();
  if (after !== undefined) filter.after = Math.max(filter.after ?? -Infinity, await readTime(parts, caller, after));
  if (before !== undefined) filter.before = Math.min(filter.before ?? Infinity, await readTime(parts, caller, before));
  if (filter.includeSuperseded !== true) filter.validAt ??= parts.clock.now();
  return filter;
}

/** A day means its beginning on both sides: `before` a day does not hold that day, and a deletion never takes more than was said. */
async function readTime({ clock, settings }: EngineParts, caller: Caller, text: string): Promise<number> {
  const { readInstant } = await import('../time/read-time-phrase.ts');
  return readInstant(text, { now: clock.now(), timeZone: caller.timeZone ?? settings.timeZone, edge: 'start' });
}

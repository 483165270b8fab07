import type { Caller } from '../../model/caller.ts';
import type { ListFilter } from '../../model/filter.ts';
import type { EngineParts } from '../engine-parts.ts';
import { readTime } from '../time/read-time.ts';
import { checkText, invalid } from './check-text.ts';
import { readCheckedTags } from './choose-tags.ts';

interface FilterInput {
  filter?: ListFilter | undefined;
  after?: string | undefined;
  before?: string | undefined;
}

/** A filter over memories as the store wants it: clean tags, times as instants, validity judged now. */
export async function readFilter(parts: EngineParts, caller: Caller, input: FilterInput): Promise<ListFilter> {
  const filter: ListFilter = { kinds: ['memory'], ...input.filter };
  if (filter.tags !== undefined) {
    filter.tags = readCheckedTags(filter.tags);
    if (filter.tags.length === 0 && input.filter?.tags?.length !== 0) throw invalid('tags', 'holds no tag');
  }
  if (filter.contains !== undefined) checkText('contains', filter.contains);
  if (filter.contentHash !== undefined) filter.contentHash = filter.contentHash.toLowerCase();
  // A day means its beginning on both sides: `before` a day does not hold that day, and a deletion never takes more than was said.
  const zone = { now: parts.clock.now(), timeZone: caller.timeZone ?? parts.settings.timeZone, edge: 'start' } as const;
  if (input.after !== undefined) filter.after = latest(filter.after, await readTime(input.after, zone));
  if (input.before !== undefined) filter.before = earliest(filter.before, await readTime(input.before, zone));
  if (filter.includeSuperseded !== true) filter.validAt ??= zone.now;
  return filter;
}

function latest(a: number | undefined, b: number): number {
  return a === undefined ? b : Math.max(a, b);
}

function earliest(a: number | undefined, b: number): number {
  return a === undefined ? b : Math.min(a, b);
}

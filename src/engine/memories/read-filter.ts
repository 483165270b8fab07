import type { Caller } from '../../model/caller.ts';
import type { ListFilter } from '../../model/filter.ts';
import type { EngineParts } from '../engine-parts.ts';
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
  if (input.after !== undefined) filter.after = latest(filter.after, await readTime(parts, caller, input.after));
  if (input.before !== undefined) filter.before = earliest(filter.before, await readTime(parts, caller, input.before));
  if (filter.includeSuperseded !== true) filter.validAt ??= parts.clock.now();
  return filter;
}

/** A day means its beginning on both sides: `before` a day does not hold that day, and a deletion never takes more than was said. */
async function readTime({ clock, settings }: EngineParts, caller: Caller, text: string): Promise<number> {
  const { readInstant } = await import('../time/read-instant.ts');
  return readInstant(text, { now: clock.now(), timeZone: caller.timeZone ?? settings.timeZone, edge: 'start' });
}

function latest(a: number | undefined, b: number): number {
  return a === undefined ? b : Math.max(a, b);
}

function earliest(a: number | undefined, b: number): number {
  return a === undefined ? b : Math.min(a, b);
}

import type { ListFilter, RecordFilter } from '../model/filter.ts';
import type { Trust } from '../model/record.ts';
import type { Arguments } from './read-arguments.ts';

/** The filter that the FILTER_FLAGS describe; times stay text, the engine reads them. */
export function readFilter(args: Arguments): RecordFilter {
  const tags = args.list('tags');
  return withoutUndefined({
    kinds: args.list('kind'),
    types: args.list('type'),
    tags,
    tagMatch: tags === undefined ? undefined : args.isOn('all-tags') ? 'all' : 'any',
    project: args.text('project'),
    agent: args.text('agent'),
    session: args.text('session'),
    conversation: args.text('conversation'),
    minTrust: args.text('min-trust') as Trust | undefined,
    includeSuperseded: args.isOn('include-superseded') || undefined,
  });
}

export function readListFilter(args: Arguments): ListFilter {
  const deleted = args.isOn('deleted') ? 'only' : args.isOn('include-deleted') ? 'include' : undefined;
  return withoutUndefined({ ...readFilter(args), contains: args.text('contains'), deleted });
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Only what was said: an absent filter and an empty one are the same to the engine. */
export function withoutUndefined<T extends object>(value: T): Partial<Defined<T>> {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as Partial<Defined<T>>;
}

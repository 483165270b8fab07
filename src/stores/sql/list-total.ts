import type { ListFilter } from '../../model/filter.ts';
import type { Instant } from '../../model/ids.ts';
import { ALL_COUNTED, type CountedLabel, dayOf, LABELLED_COLUMNS } from './label-counts.ts';
import type { Conditions } from './list-records.ts';
import type { SqlValue, Statement } from './statements.ts';

const DAY = 86_400_000;
/**
 * Few records are valid for a time alone: they are taken out first, by their own index, whatever else a filter asks for. Left to itself a database
 * goes through everything with a label instead.
 */
const VALID_FOR_A_TIME = `WITH timed AS MATERIALIZED (
  SELECT space_id, id, ${LABELLED_COLUMNS.filter((name) => name !== 'id' && name !== 'tags').join(', ')} FROM records
  WHERE space_id = $1 AND (valid_from IS NOT NULL OR valid_until IS NOT NULL))`;

/** Filters that commits count nothing by. */
const UNCOUNTED = [
  ...([
    'workspace',
    'session',
    'conversation',
    'minTrust',
    'key',
    'contentHash',
    'contains',
    'idleSince',
    'ids',
  ] as const),
] as const satisfies (keyof ListFilter)[];

export function countAll({ sql, values }: Conditions): Statement {
  return { sql: `SELECT count(*) AS total FROM records WHERE ${sql}`, values };
}

/**
 * Statements whose totals together say how many pass, from the counts that commits keep: null where these do not tell. The first adds a row only
 * where everything is counted: without one its answer, and that of the others, means nothing.
 */
export function planTotal(filter: ListFilter, conditions: Conditions): Statement[] | null {
  const label = findLabel(filter);
  if (label === null) return null;
  const [space] = conditions.values;
  const values: SqlValue[] = [space!, label.label];
  const place = (value: SqlValue) => `$${values.push(value)}`;
  const includes = filter.includeSuperseded === true;
  const parts = ['space_id = $1', 'label = $2'];
  if (label.among !== undefined) parts.push(`value = ANY (${place(label.among)}::text[])`);
  if (label.from !== undefined) parts.push(`value >= ${place(label.from)}`);
  if (label.to !== undefined) parts.push(`value < ${place(label.to)}`);
  if (filter.kinds !== undefined && filter.kinds.length > 0) parts.push(`kind = ANY (${place(filter.kinds)}::text[])`);
  const sum = `SELECT CAST(coalesce(sum(${includes ? 'live' : 'plain'}), 0) AS bigint) FROM label_counts WHERE ${parts.join(' AND ')}`;
  const kept = {
    sql: `SELECT (${sum}) AS total FROM feed_heads WHERE space_id = $1 AND counted = '${ALL_COUNTED}'`,
    values,
  };
  // Of the rest of the first and the last day every record is looked at; of the days between, those that pass at some times only.
  const rest = label.rest.map(([from, to]) => narrow(conditions, (place) => between(from, to, place)));
  if (includes) return [kept, ...rest.map(countAll)];
  const [from, to] = label.whole ?? [undefined, undefined];
  const { sql, values: timedValues } = narrow(conditions, (place) => between(from, to, place));
  const timed = `${VALID_FOR_A_TIME} SELECT count(*) AS total FROM timed AS records WHERE ${sql}`;
  return [kept, { sql: timed, values: timedValues }, ...rest.map(countAll)];
}

function narrow({ sql, values }: Conditions, write: (place: (value: SqlValue) => string) => string): Conditions {
  const more = [...values];
  const condition = write((value) => `$${more.push(value)}`);
  return { sql: `${sql} AND ${condition}`, values: more };
}

function between(from: Instant | undefined, to: Instant | undefined, place: (value: SqlValue) => string): string {
  const parts = [
    ...(from === undefined ? [] : [`created_at >= ${place(from)}`]),
    ...(to === undefined ? [] : [`created_at < ${place(to)}`]),
  ];
  return parts.length === 0 ? 'TRUE' : parts.join(' AND ');
}

type Span = [from: Instant | undefined, to: Instant | undefined];

interface Counted {
  label: CountedLabel;
  among?: readonly string[];
  from?: string;
  to?: string;
  /** The time that whole days cover. */
  whole?: Span;
  /** Times that they do not. */
  rest: Span[];
}

/** The one label that a filter asks for; null where it asks for more, or for something else. */
function findLabel(filter: ListFilter): Counted | null {
  if ((filter.deleted ?? 'exclude') !== 'exclude' || UNCOUNTED.some((name) => filter[name] !== undefined)) return null;
  const tags = [...new Set(filter.tags ?? [])];
  const asked: Counted[] = [];
  if (tags.length > 1) return null;
  if (tags.length === 1) asked.push({ label: 'tag', among: tags, rest: [] });
  if (filter.types !== undefined && filter.types.length > 0)
    asked.push({ label: 'type', among: [...new Set(filter.types)], rest: [] });
  if (filter.project !== undefined) asked.push({ label: 'project', among: [filter.project], rest: [] });
  if (filter.agent !== undefined) asked.push({ label: 'agent', among: [filter.agent], rest: [] });
  if (filter.after !== undefined || filter.before !== undefined) asked.push(...findDays(filter.after, filter.before));
  if (asked.length > 1 || asked.some(({ label }) => label === 'all')) return null;
  return asked[0] ?? { label: 'all', among: [''], rest: [] };
}

/** Whole days and what is left at either end; within one day there is nothing to gain. */
function findDays(after: Instant | undefined, before: Instant | undefined): Counted[] {
  const from = after === undefined ? undefined : Math.ceil(after / DAY) * DAY;
  const to = before === undefined ? undefined : Math.floor(before / DAY) * DAY;
  const isNamed = [from, to].every((at) => at === undefined || Number.isSafeInteger(at));
  if (!isNamed || (from !== undefined && to !== undefined && from >= to)) return [{ label: 'all', rest: [] }];
  return [
    {
      label: 'day',
      ...(from !== undefined && { from: dayOf(from) }),
      ...(to !== undefined && { to: dayOf(to) }),
      whole: [from, to],
      rest: [
        ...(from === undefined || from === after ? [] : [[after, from] satisfies Span]),
        ...(to === undefined || to === before ? [] : [[to, before] satisfies Span]),
      ],
    },
  ];
}

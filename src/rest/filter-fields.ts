import { z } from 'zod';
import type { RecordFilter } from '../model/filter.ts';
import { KIND_NAMES, TRUST_TIERS } from '../model/record.ts';
import { readTags } from '../model/tags.ts';

export const labelField = z.string().trim().min(1).max(200);
export const timeField = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .describe('A date or time in ISO 8601, or a phrase such as "yesterday".');
const names = z.union([z.string().max(20_000), z.array(z.string().max(200)).max(100)]);

/** In a URL every value is text; these read it. */
export const queryFlag = z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] });
export function queryInteger(min: number, max: number) {
  return z.coerce.number().int().min(min).max(max);
}

const filterFields = {
  type: names.optional().describe('One type or several.'),
  tags: names.optional().describe('A list, or names separated by commas.'),
  tag_match: z.enum(['any', 'all']).optional(),
  project: labelField.optional(),
  agent: labelField.optional(),
  session: labelField.optional(),
  conversation_id: labelField.optional(),
  kind: z.enum(KIND_NAMES).optional(),
  min_trust: z.enum(TRUST_TIERS).optional(),
  after: timeField.optional(),
  before: timeField.optional(),
};
const supersededHelp = 'Also those that a newer memory has replaced.';
export const bodyFilterFields = {
  ...filterFields,
  include_superseded: z.boolean().optional().describe(supersededHelp),
};
export const queryFilterFields = { ...filterFields, include_superseded: queryFlag.optional().describe(supersededHelp) };

type FilterValues = z.output<z.ZodObject<typeof bodyFilterFields>>;

/** All but `after` and `before`, which the engine reads as text in the caller's zone. */
export function toRecordFilter(values: FilterValues): RecordFilter {
  const filter: RecordFilter = {};
  const types = values.type === undefined ? [] : readNames(values.type);
  const tags = readTags(values.tags);
  if (types.length > 0) filter.types = types;
  if (tags.length > 0) filter.tags = tags;
  if (values.tag_match !== undefined) filter.tagMatch = values.tag_match;
  if (values.project !== undefined) filter.project = values.project;
  if (values.agent !== undefined) filter.agent = values.agent;
  if (values.session !== undefined) filter.session = values.session;
  if (values.conversation_id !== undefined) filter.conversation = values.conversation_id;
  if (values.kind !== undefined) filter.kinds = [values.kind];
  if (values.min_trust !== undefined) filter.minTrust = values.min_trust;
  if (values.include_superseded !== undefined) filter.includeSuperseded = values.include_superseded;
  return filter;
}

export function pickTimes({ after, before }: FilterValues): { after?: string; before?: string } {
  return { ...(after === undefined ? {} : { after }), ...(before === undefined ? {} : { before }) };
}

function readNames(input: string | readonly string[]): string[] {
  const list = typeof input === 'string' ? input.split(',') : input;
  return list.map((name) => name.trim()).filter((name) => name !== '');
}

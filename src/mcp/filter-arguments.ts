import * as z from 'zod';
import type { ListFilter } from '../model/filter.ts';
import { KIND_NAMES, TRUST_TIERS } from '../model/record.ts';

const label = z.string().trim().max(200).optional();

/** Filters that search, list and delete share, as they are listed. */
export const filterArguments = {
  tags: z.array(z.string()).max(1000).optional(),
  tag_match: z.enum(['any', 'all']).optional(),
  type: label,
  project: label,
  after: z.string().max(200).optional().describe('Date or phrase'),
  before: z.string().max(200).optional(),
};

/** Understood, not listed. */
export const unlistedFilterArguments = {
  memory_type: label,
  agent: label,
  agent_id: label,
  session: label,
  conversation_id: label,
  kind: z.enum(KIND_NAMES).optional(),
  min_trust: z.enum(TRUST_TIERS).optional(),
  include_superseded: z.boolean().optional(),
  store: label,
};

type FilterValues = z.output<z.ZodObject<typeof filterArguments & typeof unlistedFilterArguments>>;

/** An empty text filters nothing: agents send it for "not given". */
export function readFilter(args: Omit<FilterValues, 'after' | 'before'>): ListFilter {
  const type = args.type || args.memory_type;
  const filter: ListFilter = {};
  if (args.kind !== undefined) filter.kinds = [args.kind];
  if (type) filter.types = [type];
  if (args.tags !== undefined && args.tags.length > 0) filter.tags = args.tags;
  if (args.tag_match !== undefined) filter.tagMatch = args.tag_match;
  if (args.project) filter.project = args.project;
  const agent = args.agent || args.agent_id;
  if (agent) filter.agent = agent;
  if (args.session) filter.session = args.session;
  if (args.conversation_id) filter.conversation = args.conversation_id;
  if (args.min_trust !== undefined) filter.minTrust = args.min_trust;
  if (args.include_superseded !== undefined) filter.includeSuperseded = args.include_superseded;
  return filter;
}

export function noticesOfStore(store: string | undefined): string[] {
  return store ? ['store is not used: there is one store; project separates memories inside it.'] : [];
}

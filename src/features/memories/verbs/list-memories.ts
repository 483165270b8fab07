import { EngineError } from '../../../model/errors.ts';
import { listMemory, noticesOfDamage, sayOnce, unlessEmpty } from '../../../verbs/describe-memory.ts';
import { noticesOfTrust, type Reader, sayOriginOnce } from '../../../verbs/describe-origin.ts';
import { choice, cursor, flag, integer, label, text } from '../../../verbs/field.ts';
import {
  ALL_TAGS,
  AS_OF,
  type AsOfInput,
  FILTER_FLAGS,
  FILTERS,
  type ListFilterInput,
  readAsOf,
  readValidAt,
  SHOWN_FILTERS,
  toFilter,
  VALID_AT,
  type ValidAtInput,
} from '../../../verbs/memory-input.ts';
import { defineVerb } from '../../../verbs/verb.ts';
import type { Memory } from '../memory.ts';

const DEFAULT_LIMIT = 20;
/** Longer contents are cut in an agent's listing: a page must not flood its context. */
const LISTED_CHARS = 500;

export interface ListInput extends ListFilterInput, AsOfInput, ValidAtInput {
  staleDays?: number;
  limit?: number;
  cursor?: string;
  /** Instead of a cursor. */
  page?: number;
}

export interface ListedMemories {
  memories: Memory[];
  total: number;
  atLeast?: true;
  cursor: string | null;
  /** Left out because they are damaged. */
  damaged?: string[];
  /** What else the answer may lack. */
  notices?: string[];
}

export const listMemories = defineVerb<ListInput, ListedMemories>({
  needs: 'read',
  input: {
    ...FILTERS,
    ...AS_OF,
    ...VALID_AT,
    key: label('With this key.'),
    content_hash: text(undefined, { min: 64, max: 64 }),
    contains: text('Only memories whose content contains this text literally.', { min: 1, max: 1000 }),
    deleted: choice(['exclude', 'only', 'include'], 'Whether to list deleted memories. Default: no.'),
    stale_days: integer(1, 100_000, 'Not created, changed or read for this many days.'),
    limit: integer(1, 1000, 'Maximum number of results. Default: 20.'),
    cursor,
    page: integer(1, 1_000_000, 'A page number instead of a cursor.'),
  },
  async run(
    context,
    { limit = DEFAULT_LIMIT, cursor: from, page, staleDays, after, before, asOf, validAt, ...filter },
  ) {
    const { engine, caller } = context;
    if (page !== undefined && from !== undefined)
      throw new EngineError('invalid_input', 'Send either page or cursor, not both.', { details: { field: 'page' } });
    const at = from === undefined ? { offset: ((page ?? 1) - 1) * limit } : { cursor: from };
    const held = { ...toFilter(filter), ...(await readValidAt({ validAt }, context)) };
    const wanted = { filter: held, after, before, staleDays, asOf: await readAsOf({ asOf }, context) };
    const { items, ...listed } = await engine.listMemories(caller, { ...wanted, page: { limit, ...at } });
    return { memories: items, ...listed };
  },
  rest: {
    at: 'GET /memories',
    summary: 'List memories, newest first',
    headers: ['X-Time-Zone'],
    example: { path: '/memories?project=shop&limit=5' },
    answers: { 200: 'One page.' },
    isPaged: true,
  },
  tool: {
    name: 'memory_list',
    title: 'List memories',
    text: 'Browse, newest first.',
    shown: {
      ...SHOWN_FILTERS,
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: '',
      deleted: 'Deleted ones instead',
      stale_days: 'Unused for so long',
    },
    own: { deleted: flag(), limit: integer(1, 100) },
    without: ['key', 'content_hash'],
    read: ({ deleted, ...args }) => (deleted === true ? { include_superseded: true, ...args, deleted: 'only' } : args),
    output: { memories: ['object'], total: 'number', has_more: 'boolean' },
    answer: (out, { context, input }) => describePage(out, input, context),
  },
  command: {
    name: 'list',
    summary: 'List memories, newest first',
    usage: '',
    flags: [['limit', 'n'], 'cursor', ...FILTER_FLAGS, 'as_of', 'valid_at', 'contains', 'stale_days'],
    own: [
      ALL_TAGS,
      { name: 'deleted', description: 'Only deleted ones.' },
      { name: 'include-deleted', description: 'Also deleted ones.' },
    ],
    maxWords: 0,
    examples: ['ltm list', 'ltm list --tags auth --after 2026-01-01', 'ltm list --deleted'],
  },
});

function describePage(out: ListedMemories, input: ListInput, reader: Reader): Record<string, unknown> {
  const size = input.limit ?? DEFAULT_LIMIT;
  const page = input.cursor === undefined ? (input.page ?? 1) : undefined;
  const hasMore = out.cursor !== null || (page !== undefined && page * size < out.total);
  const { shared, items: listed } = sayOnce(
    out.memories.map((memory) => listMemory(memory, reader, LISTED_CHARS)),
    'project',
  );
  const origin = sayOriginOnce(listed);
  return {
    message: summarise(out, hasMore),
    total: out.total,
    at_least: out.atLeast,
    // only to whoever counts in pages
    ...(input.page !== undefined && {
      page,
      page_size: size,
      total_pages: out.atLeast === true ? undefined : Math.ceil(out.total / size),
    }),
    has_more: hasMore,
    cursor: out.cursor ?? undefined,
    ...shared,
    ...origin.shared,
    memories: origin.items,
    damaged: unlessEmpty(out.damaged ?? []),
    notices: unlessEmpty([
      ...noticesOfTrust(out.memories),
      ...noticesOfDamage(out.damaged ?? []),
      ...(out.notices ?? []),
    ]),
  };
}

function summarise({ memories, total, atLeast }: ListedMemories, hasMore: boolean): string {
  if (memories.length === 0) return total === 0 ? 'No memories match.' : 'No memories on this page.';
  const first = `${memories.length} of ${atLeast === true ? 'at least ' : ''}${total} memories, newest first.`;
  return hasMore ? `${first} The rest: cursor.` : first;
}

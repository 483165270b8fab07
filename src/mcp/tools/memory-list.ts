import * as z from 'zod';
import type { ListMemoriesInput } from '../../engine/engine.ts';
import type { Memory } from '../../model/memory.ts';
import type { Page } from '../../model/page.ts';
import { describeMemory, noticesOfTrust, unlessEmpty } from '../describe-memory.ts';
import { filterArguments, noticesOfStore, readFilter, unlistedFilterArguments } from '../filter-arguments.ts';
import { defineTool } from '../tool.ts';

const DEFAULT_PAGE_SIZE = 20;
/** Longer contents are cut in a listing: a page must not flood the caller's context. */
const LISTED_CHARS = 500;

const positive = z.number().int().min(1);

const listed = {
  ...filterArguments,
  limit: positive.max(100).optional(),
  cursor: z.string().max(2000).optional(),
  deleted: z.boolean().optional().describe('Deleted ones instead'),
  stale_days: positive.max(100_000).optional().describe('Unused for so long'),
};

const unlisted = {
  ...unlistedFilterArguments,
  page: positive.max(1_000_000).optional(),
  page_size: positive.max(100).optional(),
  contains: z.string().max(1000).optional(),
};

type Arguments = z.output<z.ZodObject<typeof listed & typeof unlisted>>;

export const memoryList = defineTool({
  name: 'memory_list',
  title: 'List memories',
  description: 'Browse, newest first.',
  action: 'read',
  listed,
  unlisted,
  output: { message: z.string(), memories: z.array(z.looseObject({})), total: z.number(), has_more: z.boolean() },
  run: async ({ engine, caller, now }, args) => {
    const size = args.limit ?? args.page_size ?? DEFAULT_PAGE_SIZE;
    const page = await engine.listMemories(caller, readInput(args, size));
    const number = args.cursor ? undefined : (args.page ?? 1);
    const hasMore = page.cursor !== null || (number !== undefined && number * size < page.total);
    return {
      structured: {
        message: summarise(page, hasMore),
        total: page.total,
        page: number,
        page_size: size,
        total_pages: Math.ceil(page.total / size),
        has_more: hasMore,
        cursor: page.cursor ?? undefined,
        memories: page.items.map((memory) => describeMemory(memory, now, LISTED_CHARS)),
        notices: unlessEmpty([...noticesOfStore(args.store), ...noticesOfTrust(page.items)]),
      },
    };
  },
});

function readInput(args: Arguments, size: number): ListMemoriesInput {
  const filter = readFilter(args);
  if (args.deleted === true) {
    filter.deleted = 'only';
    filter.includeSuperseded ??= true;
  }
  if (args.contains) filter.contains = args.contains;
  const input: ListMemoriesInput = { filter, page: { limit: size } };
  if (args.cursor) input.page = { limit: size, cursor: args.cursor };
  else if (args.page !== undefined && args.page > 1) input.page = { limit: size, offset: (args.page - 1) * size };
  if (args.after) input.after = args.after;
  if (args.before) input.before = args.before;
  if (args.stale_days !== undefined) input.staleDays = args.stale_days;
  return input;
}

function summarise({ items, total }: Page<Memory>, hasMore: boolean): string {
  if (items.length === 0) return total === 0 ? 'No memories match.' : 'No memories on this page.';
  const first = `${items.length} of ${total} memories, newest first.`;
  return hasMore ? `${first} For the rest ask again with cursor.` : first;
}

import type { Caller } from '../../model/caller.ts';
import type { Memory } from '../../model/memory.ts';
import type { Page } from '../../model/page.ts';
import { toMemory } from '../../model/to-memory.ts';
import { authorize } from '../authorize.ts';
import type { ListMemoriesInput } from '../engine.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { PageRequest } from '../ports.ts';
import { invalid } from './check-text.ts';
import { listSpaces } from './list-spaces.ts';
import { spacesOf } from './locate.ts';
import { readFilter } from './read-filter.ts';

const DAY = 86_400_000;
const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 1000;

/** Newest first, over all of the caller's spaces. */
export async function listMemories(
  parts: EngineParts,
  caller: Caller,
  input: ListMemoriesInput,
): Promise<Page<Memory>> {
  const spaces = spacesOf(caller);
  for (const space of spaces) authorize(caller, 'read', space);
  const filter = await readFilter(parts, caller, input);
  if (input.staleDays !== undefined) {
    if (!(input.staleDays > 0)) throw invalid('staleDays', 'must be more than 0');
    filter.idleSince = parts.clock.now() - input.staleDays * DAY;
  }
  const page = await listSpaces(parts.store, spaces, { filter, page: readPage(input.page ?? {}) });
  return { ...page, items: page.items.map(toMemory) };
}

function readPage({ limit = DEFAULT_LIMIT, cursor, offset }: Partial<PageRequest>): PageRequest {
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT)
    throw invalid('limit', `must be a whole number from 1 to ${MAX_LIMIT}`);
  if (offset !== undefined && !(Number.isInteger(offset) && offset >= 0))
    throw invalid('offset', 'must be a whole number from 0');
  if (cursor !== undefined && cursor !== null) return { limit, cursor };
  return offset === undefined ? { limit } : { limit, offset };
}

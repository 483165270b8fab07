import type { Caller } from '../model/caller.ts';
import type { SpaceId } from '../model/ids.ts';
import { toIsoSeconds } from '../model/instant.ts';
import { VERSION } from '../model/version.ts';
import { authorize } from './authorize.ts';
import { learnDimensions } from './embed-within.ts';
import type { EngineParts } from './engine-parts.ts';
import { memoryKind } from './memories/memory-kind.ts';
import type { StoreFacts } from './ports.ts';
import { keepMsOf } from './upkeep/purge-expired.ts';

export interface Health {
  status: 'healthy' | 'degraded';
  version: string;
  problems: string[];
  /** What is as it should be, and may surprise all the same. */
  notices: string[];
  facts: StoreFacts;
  tags: number;
  createdThisWeek: number;
  /** `pending`: memories without its vectors. `searching`: whose vectors searches use, another id while a change of embedder is under way. */
  embedder: { id: string; dimensions: number; pending: number; searching: string } | null;
  index: { spaces: number; passages: number; bytes: number; head: number };
  searches: { total: number; averageMs: number };
}

const WEEK = 7 * 86_400_000;
/** Counting stops here: "very many" is all that a person needs to know. */
const MAX_PENDING = 10_000;
/** How long a look at the health waits for a model that has not been asked before. */
const FIRST_ANSWER_MS = 2000;

/** The state of the caller's own space and of this process. */
export async function checkHealth(parts: EngineParts, caller: Caller): Promise<Health> {
  const { store, clock, tally } = parts;
  const { space } = caller;
  authorize(caller, 'read', space);
  const [facts, tags, week] = await Promise.all([
    store.inspect(space),
    store.countLabels(space, 'tag'),
    store.listRecords(
      space,
      { kinds: [memoryKind.name], after: clock.now() - WEEK, includeSuperseded: true },
      { limit: 1 },
    ),
  ]);
  const { embedder, problem } = await describeEmbedder(parts, space);
  const heldBack = await describeHeldBack(parts, space);
  const { searches, searchMs } = tally;
  const { spaces, passages, bytes, heads } = parts.indexes.describe();
  const problems = [...tally.problems.values(), ...(problem === null ? [] : [problem])];
  return {
    status: problems.length === 0 ? 'healthy' : 'degraded',
    version: VERSION,
    problems,
    notices: heldBack === null ? [] : [heldBack],
    facts: caller.scopes.has('admin') ? facts : { ...facts, location: '' },
    tags: tags.length,
    createdThisWeek: week.total,
    embedder,
    index: { spaces, passages, bytes, head: heads[space] ?? 0 },
    searches: { total: searches, averageMs: searches === 0 ? 0 : Math.round((searchMs / searches) * 100) / 100 },
  };
}

async function describeEmbedder(
  { store, embedder, tally, indexes }: EngineParts,
  space: SpaceId,
): Promise<{ embedder: Health['embedder']; problem: string | null }> {
  if (embedder === null) return { embedder: null, problem: null };
  const silence = tally.problems.has('embedding') ? null : await learnDimensions(embedder, FIRST_ANSWER_MS);
  const pending = (await store.listUnembedded(space, embedder.id, MAX_PENDING)).length;
  const searching = (await indexes.embedderOf(space))?.id ?? embedder.id;
  const problem = silence === null ? null : `The embedder does not answer, so search uses words only: ${silence}`;
  return { embedder: { id: embedder.id, dimensions: embedder.dimensions, pending, searching }, problem };
}

/** Deleted longer ago than they are kept, if the clock is right. */
async function describeHeldBack({ time, store, clock, settings }: EngineParts, space: SpaceId): Promise<string | null> {
  const { doubted } = await time.peek();
  if (doubted === null) return null;
  const before = clock.now() - keepMsOf({ settings });
  const { length } = await store.listDeletions(space, { before, limit: MAX_PENDING });
  if (length === 0) return null;
  const since = doubted.since > 1 ? ` since ${toIsoSeconds(doubted.since)}` : '';
  return [
    `${length} deleted ${length === 1 ? 'record is' : 'records are'} past keep_deleted_days, but the clock has moved by more than a day at once${since}.`,
    `Should it be right, they are purged after ${toIsoSeconds(doubted.until)}; \`ltm purge --expired\` confirms it and purges them now.`,
  ].join(' ');
}

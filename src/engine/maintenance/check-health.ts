import type { Caller } from '../../model/caller.ts';
import { passOver } from '../../model/damage.ts';
import type { SpaceId } from '../../model/ids.ts';
import { toIsoSeconds } from '../../model/instant.ts';
import type { StoreFacts } from '../../model/store-facts.ts';
import type { Replication } from '../../model/travel-port.ts';
import { VERSION } from '../../model/version.ts';
import { learnDimensions } from '../../search/embed-within.ts';
import { authorize, isOperator } from '../authorize.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { SealedSpaces } from '../ports.ts';
import { describeSilence, EMBEDDER_PROBLEM, type Problem, type Tally } from '../tally.ts';
import { keepMsOf } from './believed-time.ts';

/** What concerns the whole database, and not the caller's space. */
type OperatorFact = 'location' | 'bytes' | 'replica' | 'epoch' | 'rowSecurity';

/** The caller's own space; what concerns others or the server as a whole is there for the operator alone. */
export interface Health {
  status: 'healthy' | 'degraded';
  version: string;
  problems: string[];
  /** What is as it should be, and may surprise all the same. */
  notices: string[];
  facts: Omit<StoreFacts, OperatorFact> & Partial<Pick<StoreFacts, OperatorFact>>;
  /** Live ones; `facts.records` counts every kind. */
  memories: number;
  tags: number;
  createdThisWeek: number;
  /** `pending`: memories without its vectors. `searching`: whose vectors searches use, another id while a change of embedder is under way. */
  embedder: { id: string; dimensions: number; pending: number; searching: string } | null;
  index: { head: number; spaces?: number; passages?: number; bytes?: number };
  searches?: { total: number; averageMs: number };
  /** Where several processes answer at one port. `searches` are of all of them, `index` is of the one that answers. */
  workers?: { count: number; running: number; answering: number };
}

const WEEK = 7 * 86_400_000;
/** Counting stops here: "very many" is all that a person needs to know. */
const MAX_PENDING = 10_000;
/** How long a look at the health waits for a model that has not been asked before. */
const FIRST_ANSWER_MS = 2000;

/** The state of the caller's own space, and for the operator that of the server. */
export async function checkHealth(parts: EngineParts, caller: Caller): Promise<Health> {
  const { store, clock, tally } = parts;
  const { space } = caller;
  authorize(caller, 'read', space);
  const memories = parts.kinds.names.filter((name) => parts.kinds.find(name)?.isMemory === true);
  const [{ location, bytes: size, replica, epoch, rowSecurity, ...facts }, tags, counts, week] = await Promise.all([
    store.inspect(space),
    store.countLabels(space, 'tag', [...parts.kinds.unusual, ...parts.kinds.parts]),
    store.countLabels(space, 'kind'),
    store.listRecords(
      space,
      { kinds: memories, after: clock.now() - WEEK, includeSuperseded: true },
      { limit: 1 },
      passOver,
    ),
  ]);
  const { embedder, problem } = await describeEmbedder(parts, space);
  const heldBack = await describeHeldBack(parts, space);
  const sealed = await describeSealed(parts, space);
  const { heads, ...loaded } = parts.indexes.describe();
  const runsServer = isOperator(caller);
  const lost = store.lostWrites?.() ?? null;
  const problems = [
    ...tally.problems.values(),
    ...(problem === null ? [] : [problem]),
    ...(lost === null ? [] : [{ space: null, message: lost.message }]),
  ]
    .filter((one) => runsServer || one.space === null || caller.spaces.includes(one.space))
    .map((one) => describeProblem(one, runsServer ? space : null));
  return {
    status: problems.length === 0 ? 'healthy' : 'degraded',
    version: VERSION,
    problems,
    notices: [...(heldBack === null ? [] : [heldBack]), ...(sealed === null ? [] : [sealed])],
    facts: runsServer ? { ...facts, location, bytes: size, replica, epoch, rowSecurity } : facts,
    memories: counts.reduce((sum, { value, count }) => (memories.includes(value) ? sum + count : sum), 0),
    tags: tags.length,
    createdThisWeek: week.total,
    embedder,
    index: { head: heads[space] ?? 0, ...(runsServer && loaded) },
    ...(runsServer && { searches: describeSearches(tally) }),
  };
}

/** `own`: where the operator is; a problem elsewhere is told with its place. Null: somebody else, who is not told why. */
function describeProblem({ space, message, cause }: Problem, own: SpaceId | null): string {
  if (own === null) return message;
  const place = space === null || space === own ? '' : `In the space ${space}: `;
  return `${place}${cause === undefined ? message : `${message.replace(/\.$/, '')}: ${cause}`}`;
}

function describeSearches({ searches, searchMs }: Tally): NonNullable<Health['searches']> {
  return { total: searches, averageMs: searches === 0 ? 0 : Math.round((searchMs / searches) * 100) / 100 };
}

async function describeEmbedder(
  { store, embedder, tally, indexes }: EngineParts,
  space: SpaceId,
): Promise<{ embedder: Health['embedder']; problem: Problem | null }> {
  if (embedder === null) return { embedder: null, problem: null };
  const silence = tally.problems.has(EMBEDDER_PROBLEM) ? null : await learnDimensions(embedder, FIRST_ANSWER_MS);
  const pending = (await store.listUnembedded(space, embedder.id, MAX_PENDING)).length;
  const searching = (await indexes.embedderOf(space))?.id ?? embedder.id;
  const problem = silence === null ? null : describeSilence(silence);
  return { embedder: { id: embedder.id, dimensions: embedder.dimensions, pending, searching }, problem };
}

/** All that can be said of it. */
async function describeSealed(
  { store }: { store: SealedSpaces & Replication },
  space: SpaceId,
): Promise<string | null> {
  if ((await store.readReplica(space)).sealed === 0) return null;
  const { slots, bytes } = await store.sealed.count(space);
  return `This space is sealed: it keeps ${slots} ${slots === 1 ? 'record' : 'records'} in ${bytes} bytes, which only machines with its key can read.`;
}

/** Deleted longer ago than they are kept, if the clock is right. */
async function describeHeldBack({ time, store, clock, settings }: EngineParts, space: SpaceId): Promise<string | null> {
  const { doubted } = await time.peek();
  if (doubted === null) return null;
  const before = clock.now() - keepMsOf({ settings });
  const { length } = await store.listDeletions(space, { before, limit: MAX_PENDING });
  if (length === 0) return null;
  const why =
    doubted.since > 1
      ? `the clock has moved by more than a day at once since ${toIsoSeconds(doubted.since)}`
      : 'the clock has not been watched for a day yet';
  return [
    `${length} deleted ${length === 1 ? 'record is' : 'records are'} past keep_deleted_days, but ${why}.`,
    `Should it be right, they are purged after ${toIsoSeconds(doubted.until)}; \`ltm purge --expired\` confirms it and purges them now.`,
  ].join(' ');
}

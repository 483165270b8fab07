import type { Caller } from '../../model/caller.ts';
import { VERSION } from '../../model/version.ts';
import { authorize } from '../authorize.ts';
import type { Health } from '../engine.ts';
import type { EngineParts } from '../engine-parts.ts';

const WEEK = 7 * 86_400_000;
/** Counting stops here: "very many" is all that a person needs to know. */
const MAX_PENDING = 10_000;

/** The state of the caller's own space and of this process. */
export async function checkHealth(parts: EngineParts, caller: Caller): Promise<Health> {
  const { store, clock, embedder, tally } = parts;
  const { space } = caller;
  authorize(caller, 'read', space);
  const [facts, tags, week] = await Promise.all([
    store.inspect(space),
    store.countLabels(space, 'tag'),
    store.listRecords(space, { kinds: ['memory'], after: clock.now() - WEEK, includeSuperseded: true }, { limit: 1 }),
  ]);
  const pending = embedder === null ? 0 : (await store.listUnembedded(space, embedder.id, MAX_PENDING)).length;
  const { searches, searchMs } = tally;
  const { spaces, passages, bytes, heads } = parts.indexes.describe();
  const problems = [...tally.problems.values()];
  return {
    status: problems.length === 0 ? 'healthy' : 'degraded',
    version: VERSION,
    problems,
    facts: caller.scopes.has('admin') ? facts : { ...facts, location: '' },
    tags: tags.length,
    createdThisWeek: week.total,
    embedder: embedder === null ? null : { id: embedder.id, dimensions: embedder.dimensions, pending },
    index: { spaces, passages, bytes, head: heads[space] ?? 0 },
    searches: { total: searches, averageMs: searches === 0 ? 0 : Math.round((searchMs / searches) * 100) / 100 },
  };
}

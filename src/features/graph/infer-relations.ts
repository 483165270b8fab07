import { setImmediate as nextTurn } from 'node:timers/promises';
import { authorize } from '../../engine/authorize.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import type { Records, Relations } from '../../engine/ports.ts';
import { checkFraction } from '../../engine/records/check-text.ts';
import { readNodes } from '../../engine/records/describe-graph.ts';
import { locate, readPages } from '../../engine/records/find-records.ts';
import type { KindTable } from '../../engine/records/kind.ts';
import { actorOf } from '../../engine/records/origin.ts';
import { commitRelations, makeRelation } from '../../engine/records/relate-records.ts';
import type { Caller } from '../../model/caller.ts';
import type { Change } from '../../model/change.ts';
import { passOver } from '../../model/damage.ts';
import type { InferInput, Inferred, ProposedPair } from '../../model/graph.ts';
import type { SpaceId } from '../../model/ids.ts';
import type { StoredRecord } from '../../model/record.ts';
import { type Proposal, proposeRelations } from './propose-relations.ts';

const DEFAULT_LIMIT = 100;
/** Less sure ones are not worth a look. */
const MIN_KEPT = 0.5;
const AT_ONCE = 50;

/**
 * Proposes relations for one record, or for the newest of the space, and keeps them as inferred ones with their reason. A pair between which anything is
 * known, be it that somebody has rejected it, is not proposed; so nothing is proposed twice.
 */
export async function inferRelations(
  parts: EngineParts,
  caller: Caller,
  { ref, records: count = 1000, minConfidence = MIN_KEPT, limit = DEFAULT_LIMIT, dryRun = false }: InferInput,
): Promise<Inferred> {
  checkFraction('min_confidence', minConfidence);
  const action = dryRun ? 'read' : 'write';
  const one = ref === undefined ? null : await locate(parts, caller, { ref, action, deleted: 'exclude' });
  const space = one?.space ?? caller.space;
  authorize(caller, action, space);
  const found = new Map<string, Proposal>();
  let looked = 0;
  for await (const batch of one === null ? readNewest(parts, space, count) : [[one]]) {
    looked += batch.length;
    for (const proposal of await leaveOutKnown(parts, space, await proposeRelations(parts, space, batch)))
      if (proposal.confidence >= minConfidence)
        found.set([...[proposal.from, proposal.to].toSorted(), proposal.type].join(' '), proposal);
    await nextTurn();
  }
  const best = [...found.values()].sort((a, b) => b.confidence - a.confidence).slice(0, limit);
  if (!dryRun) await keep(parts, caller, { space, proposals: best });
  const pairs = best.map((each): ProposedPair => ({ ...each, distance: null }));
  const ends = new Map(
    best
      .slice(0, DEFAULT_LIMIT)
      .flatMap(({ from, to }) => [from, to])
      .map((id) => [id, null]),
  );
  return { outcome: dryRun ? 'would_infer' : 'inferred', looked, pairs, nodes: await readNodes(parts, space, ends) };
}

async function* readNewest(
  { store, kinds }: { store: Records; kinds: KindTable },
  space: SpaceId,
  count: number,
): AsyncGenerator<StoredRecord[]> {
  let left = count;
  for await (const { items } of readPages(store, space, {
    filter: { kinds: kinds.usual },
    limit: AT_ONCE,
    note: passOver,
  })) {
    yield items.slice(0, left);
    left -= items.length;
    if (left <= 0) return;
  }
}

/** Whatever is known between two records, ended or not, is somebody's word or has been proposed. */
export async function leaveOutKnown(
  { store }: { store: Relations },
  space: SpaceId,
  proposals: readonly Proposal[],
): Promise<Proposal[]> {
  const ids = [...new Set(proposals.flatMap(({ from, to }) => [from, to]))];
  if (ids.length === 0) return [];
  const known = new Set<string>();
  for (const { from, to } of await store.relationsBetween(space, { from: ids, to: ids }, passOver)) {
    known.add(`${from} ${to}`);
    known.add(`${to} ${from}`);
  }
  return proposals.filter(({ from, to }) => !known.has(`${from} ${to}`));
}

async function keep(
  parts: EngineParts,
  caller: Caller,
  { space, proposals }: { space: SpaceId; proposals: readonly Proposal[] },
): Promise<void> {
  const now = parts.clock.now();
  const by = actorOf(caller);
  const changes = proposals.map(({ from, to, type, confidence: weight, reason }): Change => {
    const facts = { by, isInferred: true as const, reason };
    return { op: 'relate', relation: makeRelation({ from, to, type, weight, facts, now }) };
  });
  for (let i = 0; i < changes.length; i += AT_ONCE)
    await commitRelations(parts, space, { changes: changes.slice(i, i + AT_ONCE), actor: by });
}

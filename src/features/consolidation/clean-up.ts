import { setImmediate as nextTurn } from 'node:timers/promises';
import { authorize } from '../../engine/authorize.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import { invalid } from '../../engine/records/check-text.ts';
import { readPages } from '../../engine/records/find-records.ts';
import type { Caller } from '../../model/caller.ts';
import { passOver } from '../../model/damage.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { StoredRecord } from '../../model/record.ts';
import { memoryKind } from '../memories/memory-kind.ts';
import type { DuplicateGroup } from './consolidation.ts';
import { type Neighbourhood, readNeighbourhood } from './find-clusters.ts';
import { DUPLICATE_FROM, type Duplicates, describeDuplicates, findDuplicates } from './find-duplicates.ts';
import { planMerge } from './plan-changes.ts';
import { openRun } from './run-journal.ts';

export interface CleanUpInput {
  /** Absent: true. Somebody has to say that they mean it. */
  dryRun?: boolean;
  /** 0.85 to 1: from how similar on two texts say the same. */
  threshold?: number;
}

export interface CleanedUp {
  /** Null: nothing was changed. */
  run: RecordId | null;
  dryRun: boolean;
  examined: number;
  groups: number;
  /** How many went, or would go, behind the one that is kept. */
  merged: number;
  /** The first hundred. */
  found: DuplicateGroup[];
}

const LEAST_THRESHOLD = 0.85;
const BATCH = 250;
const SHOWN = 100;

/** Finds memories that say the same and, where that is confirmed, puts all but one of each group behind that one. */
export async function cleanUp(parts: EngineParts, caller: Caller, input: CleanUpInput): Promise<CleanedUp> {
  const { dryRun = true, threshold = DUPLICATE_FROM } = input;
  authorize(caller, dryRun ? 'read' : 'write', caller.space);
  if (!(threshold >= LEAST_THRESHOLD && threshold <= 1))
    throw invalid('threshold', `must be from ${LEAST_THRESHOLD} to 1`);
  const { space } = caller;
  const groups: Duplicates[] = [];
  let examined = 0;
  for await (const some of findGroups(parts, space, threshold)) {
    examined += some.examined;
    groups.push(...some.found);
  }
  const answer = { examined, groups: groups.length, found: groups.slice(0, SHOWN).map(describeDuplicates) };
  if (dryRun || groups.length === 0) return { run: null, dryRun, ...answer, merged: dryRun ? countOthers(groups) : 0 };
  const journal = await openRun(parts, { space, caller, purpose: 'cleanup' });
  const works = groups.map((group) => ({ ...planMerge(parts, group, { at: parts.clock.now() }), group }));
  const done = await journal.write(works, 'merged');
  await journal.finish('done', { examined, notices: [] });
  return { run: journal.id, dryRun, ...answer, merged: countOthers(done.map(({ group }) => group)) };
}

function countOthers(groups: readonly Duplicates[]): number {
  return groups.reduce((sum, { others }) => sum + others.length, 0);
}

/** Batch by batch: the very same text by its hash, nearly the same by what lies near. */
async function* findGroups(
  parts: EngineParts,
  space: SpaceId,
  threshold: number,
): AsyncGenerator<{ examined: number; found: Duplicates[] }> {
  const taken = new Set<RecordId>();
  const firstWith = new Map<string, RecordId>();
  const filter = { kinds: [memoryKind.name], validAt: parts.clock.now() };
  for await (const { items } of readPages(parts.store, space, { filter, limit: BATCH, note: passOver })) {
    const near = await readNeighbourhood(parts, space, { records: items, duplicates: true, clusters: false });
    const hood = await addSameTexts(parts, space, { records: items, hood: near ?? NOBODY, firstWith });
    await nextTurn();
    yield {
      examined: items.length,
      found: await findDuplicates(parts, items, { hood, taken, seen: new Set(), threshold }),
    };
  }
}

const NOBODY: Neighbourhood = { near: new Map(), records: new Map() };

interface SameTexts {
  records: readonly StoredRecord[];
  hood: Neighbourhood;
  /** By content hash: of those that have it the first that was met. */
  firstWith: Map<string, RecordId>;
}

/** Long texts have no single vector, and there may be no embedder at all. */
async function addSameTexts(
  parts: EngineParts,
  space: SpaceId,
  { records, hood, firstWith }: SameTexts,
): Promise<Neighbourhood> {
  const near = new Map(hood.near);
  const known = new Map(hood.records);
  for (const record of records) known.set(record.id, record);
  for (const { id, contentHash } of records) {
    const first = firstWith.get(contentHash) ?? id;
    firstWith.set(contentHash, first);
    if (first === id) continue;
    // Both ways, so that all of a group are met at whichever of them comes first.
    for (const [one, other] of [
      [first, id],
      [id, first],
    ] as const)
      if (!near.get(one)?.some((each) => each.id === other))
        near.set(one, [...(near.get(one) ?? []), { id: other, cosine: 1 }]);
  }
  const missing = [...firstWith.values()].filter((id) => !known.has(id) && near.has(id));
  if (missing.length > 0)
    for (const record of await parts.store.getRecords(space, missing, passOver)) known.set(record.id, record);
  return { near, records: known };
}

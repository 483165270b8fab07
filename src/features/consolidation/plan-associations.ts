import type { EngineParts } from '../../engine/engine-parts.ts';
import { makeRelation } from '../../engine/records/relate-records.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { StoredRecord } from '../../model/record.ts';
import { leaveOutKnown } from '../graph/infer-relations.ts';
import { type Proposal, proposeRelations } from '../graph/propose-relations.ts';
import type { PlannedWork } from './run-journal.ts';

/** Less sure ones are not worth a look. */
const LEAST_CONFIDENCE = 0.5;

export interface AssociationWork extends PlannedWork {
  pair: Proposal;
}

/** Relations that the program takes for likely, kept as proposals with their reason. */
export async function planAssociations(
  parts: EngineParts,
  { space, records, known }: { space: SpaceId; records: readonly StoredRecord[]; known: Set<string> },
): Promise<AssociationWork[]> {
  const now = parts.clock.now();
  const proposals = await leaveOutKnown(parts, space, await proposeRelations(parts, space, records));
  return proposals.flatMap((pair) => {
    const key = `${keyOf(pair.from, pair.to)} ${pair.type}`;
    if (pair.confidence < LEAST_CONFIDENCE || known.has(key)) return [];
    known.add(key);
    const facts = { by: 'job:consolidate', isInferred: true as const, reason: pair.reason };
    const relation = makeRelation({
      from: pair.from,
      to: pair.to,
      type: pair.type,
      weight: pair.confidence,
      facts,
      now,
    });
    const { from, to, type } = relation;
    return [
      { changes: [{ op: 'relate' as const, relation }], undo: [{ what: 'related' as const, from, to, type }], pair },
    ];
  });
}

function keyOf(a: RecordId, b: RecordId): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}

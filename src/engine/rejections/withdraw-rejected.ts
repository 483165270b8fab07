import { setImmediate as nextTurn } from 'node:timers/promises';
import { passOver } from '../../model/damage.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { StoredRecord } from '../../model/record.ts';
import type { Rejection } from '../../model/rejection.ts';
import { createPacer } from '../../model/turn.ts';
import type { EngineParts } from '../engine-parts.ts';
import { commitInBatches } from '../records/change-record.ts';
import { readPages } from '../records/find-records.ts';
import { claimOf } from './claims.ts';
import { findInTurns } from './space-rejections.ts';

const PAGE = 200;

/** Current records of a space that state what has been rejected there, in whichever spelling; what was merely not needed counts for nothing here. */
export async function findStanding(
  parts: EngineParts,
  space: SpaceId,
  only?: ReadonlySet<RecordId>,
): Promise<StoredRecord[]> {
  const { store, kinds, rejections } = parts;
  const claiming = kinds.names.filter((name) => kinds.find(name)?.claim !== undefined);
  const standing: StoredRecord[] = [];
  const pace = createPacer();
  for await (const { items } of readPages(store, space, { filter: { kinds: claiming }, limit: PAGE, note: passOver })) {
    const state = await rejections.fresh(space);
    const isMeant = (found: Rejection | null) => found !== null && (only === undefined || only.has(found.id));
    for (const record of items) {
      const about = { text: claimOf(kinds, record) ?? '', from: null, withParts: false, state, pace };
      if (isMeant(await findInTurns(rejections, space, about))) standing.push(record);
    }
    await nextTurn();
  }
  return standing;
}

/** Deletes them, so that they can be restored once the rejection is lifted; returns those that were there. */
export async function withdrawRejected(
  parts: EngineParts,
  { space, actor, only }: { space: SpaceId; actor: string; only?: ReadonlySet<RecordId> },
): Promise<StoredRecord[]> {
  const standing = await findStanding(parts, space, only);
  if (standing.length === 0) return [];
  const at = await parts.time.timeOfDeletion();
  const changes = standing.map(({ id }) => ({ op: 'delete', id, at }) as const);
  const gone = new Set((await commitInBatches(parts.store, { space, actor, changes })).map(({ id }) => id));
  return standing.filter(({ id }) => gone.has(id));
}

import type { StateOf } from '../../engine/keep-states.ts';
import { spacesOf } from '../../engine/records/find-records.ts';
import type { Caller } from '../../model/caller.ts';
import type { RecordId } from '../../model/ids.ts';
import { findMentions } from './find-mentions.ts';
import { createAllEntities } from './space-entities.ts';

/** The records that mention an entity. */
export async function resolveEntity(
  { state }: { state: StateOf },
  caller: Caller,
  entity: string,
): Promise<ReadonlySet<RecordId>> {
  return (await findMentions(state(createAllEntities), spacesOf(caller), entity)).ids;
}

import type { Caller } from '../../model/caller.ts';
import type { RecordId } from '../../model/ids.ts';
import type { StateOf } from '../keep-states.ts';
import { spacesOf } from '../records/find-records.ts';
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

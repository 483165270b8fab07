import type { Caller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { SpaceId } from '../../model/ids.ts';
import type { StoredRecord } from '../../model/record.ts';
import { authorize, isAllowed } from '../authorize.ts';
import type { EngineParts } from '../engine-parts.ts';
import { spacesOf } from '../records/locate.ts';
import { packetKind } from './packet-kind.ts';
import { packetRecordId } from './packet-record-id.ts';

/** The same id may be in several of the caller's spaces, each a packet of its own: the caller's own space is asked first, then the teams. */
async function* readCopies(
  { store }: EngineParts,
  caller: Caller,
  { id, first = caller.space }: { id: string; first?: SpaceId },
): AsyncGenerator<StoredRecord> {
  for (const space of new Set([first, ...spacesOf(caller)])) {
    authorize(caller, 'read', space);
    const [record] = await store.getRecords(space, [packetRecordId(id)]);
    if (record?.kind === packetKind.name) yield record;
  }
}

/** `first`: where to look before all other spaces. */
export async function findPacket(
  parts: EngineParts,
  caller: Caller,
  id: string,
  first?: SpaceId,
): Promise<StoredRecord | null> {
  for await (const record of readCopies(parts, caller, { id, first })) if (record.deletedAt === null) return record;
  return null;
}

/** Absent, deleted and foreign packets look the same. */
export async function needPacket(parts: EngineParts, caller: Caller, id: string): Promise<StoredRecord> {
  return (await findPacket(parts, caller, id)) ?? missing(id);
}

/** The one to change. Where the nearest packet of this id is deleted, it ends there: a command that is repeated must not go on to a team's copy. */
export async function needOwnPacket(parts: EngineParts, caller: Caller, id: string): Promise<StoredRecord> {
  const nearest = (await readCopies(parts, caller, { id }).next()).value;
  if (nearest === undefined || nearest.deletedAt !== null) return missing(id);
  authorizeOwner(caller, nearest);
  return nearest;
}

function missing(id: string): never {
  throw new EngineError('not_found', 'not found', {
    hint: '`ltm ls` shows the ids of packets.',
    details: { id: id.slice(0, 64) },
  });
}

/** A packet is changed, published and deleted by whoever handed it in, and by those who look after the team. */
export function authorizeOwner(caller: Caller, record: StoredRecord): void {
  authorize(caller, 'write', record.space);
  const pushedBy = record.body.pushedBy ?? record.source.userId;
  if (pushedBy === caller.userId || isAllowed(caller, 'curate', record.space)) return;
  throw new EngineError('forbidden', 'this packet belongs to another member of the team', {
    hint: 'Its author and the admins of the team can do this; save yours under an id of its own.',
  });
}

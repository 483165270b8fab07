import type { Caller } from '../../model/caller.ts';
import type { EngineParts } from '../engine-parts.ts';
import { actorOf } from '../records/origin.ts';
import { retryConflicts } from '../records/retry-conflicts.ts';
import { needOwnPacket } from './find-packet.ts';
import { removePage } from './publish-packet.ts';

/** A public page goes at once; the packet itself can be brought back by saving it again. */
export async function deletePacket(parts: EngineParts, caller: Caller, id: string): Promise<void> {
  await retryConflicts(async () => {
    const record = await needOwnPacket(parts, caller, id);
    await removePage(parts, caller, record);
    const change = { op: 'delete', id: record.id, at: parts.clock.now(), revision: record.revision } as const;
    const committed = await parts.store.commit(record.space, [change], actorOf(caller));
    return committed.outcome === 'committed' ? true : null;
  });
}

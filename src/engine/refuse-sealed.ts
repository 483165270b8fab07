import type { SpaceId } from '../model/ids.ts';
import { sealedSpace } from '../model/sealed.ts';
import type { Replication } from '../model/travel-port.ts';

/** Asked where nothing was found: in a space that is sealed, nothing ever is, and whoever looks shall know why. */
export async function refuseSealed({ store }: { store: Replication }, space: SpaceId): Promise<void> {
  if ((await store.readReplica(space)).sealed > 0) throw sealedSpace();
}

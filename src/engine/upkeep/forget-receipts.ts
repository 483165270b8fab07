import type { SpaceId } from '../../model/ids.ts';
import type { EngineParts } from '../engine-parts.ts';

/** Whoever sends a request again does so within days; after a month the same key is a new request. */
const KEEP_MS = 30 * 86_400_000;
/** A bounded piece a round; what is left is for the next. */
const AT_ONCE = 1_000;

/** False: there are more. */
export async function forgetReceipts({ store, clock }: EngineParts, space: SpaceId): Promise<boolean> {
  return (await store.pruneReceipts(space, clock.now() - KEEP_MS, AT_ONCE)) < AT_ONCE;
}

import type { Caller } from '../model/caller.ts';
import type { FeedEntry } from '../model/change.ts';
import type { Sequence } from '../model/ids.ts';
import { authorize } from './authorize.ts';
import type { Store } from './ports.ts';

export interface ListChangesInput {
  after: Sequence;
  limit: number;
}

/** Who wrote what in the caller's space, in order: the audit log of its records. */
export async function listChanges(
  store: Store,
  caller: Caller,
  { after, limit }: ListChangesInput,
): Promise<FeedEntry[]> {
  authorize(caller, 'admin', caller.space);
  return store.changesAfter(caller.space, after, limit);
}

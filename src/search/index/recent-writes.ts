import type { Change, PutChange } from '../../model/change.ts';
import type { Sequence, SpaceId } from '../../model/ids.ts';
import type { IndexEntry } from '../../model/passage.ts';

/** What this process has committed and its index has not taken in yet: it need not be read from the store again. */
export interface RecentWrites {
  /** Takes note of changes that were committed, and of the number that the last of them has in the feed. */
  note(space: SpaceId, changes: readonly Change[], head: Sequence): void;
  /** Everything in the feed after one number and up to another; null where some of it was not written here, or was more than new records. */
  take(space: SpaceId, after: Sequence, upTo: Sequence): IndexEntry[] | null;
}

/** Of a space whose index is not in use nobody takes them. */
const MAX_ENTRIES = 256;
const MAX_CHARS = 1_000_000;

/** Entries of consecutive numbers, and how long their contents are. */
interface Run {
  first: Sequence;
  entries: IndexEntry[];
  chars: number;
}

export function createRecentWrites(): RecentWrites {
  const runs = new Map<SpaceId, Run>();
  return {
    note: (space, changes, head) => note(runs, space, { changes, head }),
    take(space, after, upTo) {
      const run = runs.get(space);
      if (run === undefined || run.first > after + 1 || run.first + run.entries.length <= upTo) return null;
      runs.delete(space);
      return run.entries.slice(after + 1 - run.first, upTo + 1 - run.first);
    },
  };
}

function note(
  runs: Map<SpaceId, Run>,
  space: SpaceId,
  { changes, head }: { changes: readonly Change[]; head: Sequence },
): void {
  const created = listCreated(changes);
  const first = head - (created?.length ?? 0) + 1;
  const known = runs.get(space);
  runs.delete(space);
  if (created === null || created.length === 0) return;
  const isNext = known !== undefined && known.first + known.entries.length === first;
  const run = isNext ? known : { first, entries: [], chars: 0 };
  for (const change of created) {
    run.entries.push(toEntry(space, change));
    run.chars += change.content.content.length;
  }
  if (run.entries.length <= MAX_ENTRIES && run.chars <= MAX_CHARS) runs.set(space, run);
}

/** Null where the feed may say more of these changes than one line for each new record. */
function listCreated(changes: readonly Change[]): PutChange[] | null {
  const created: PutChange[] = [];
  for (const change of changes) {
    if (change.op === 'put' && typeof change.expect === 'string') created.push(change);
    else if (change.op !== 'receipt' && change.op !== 'number') return null;
  }
  return created;
}

/** As the store gives it back; which write it was matters to no index. */
function toEntry(space: SpaceId, { id, content, passages, vectors }: PutChange): IndexEntry {
  const record = { ...content, space, id, revision: 1, deletedAt: null, generation: 1, dot: '' };
  return { id, record, passages, vectors };
}

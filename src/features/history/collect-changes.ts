import type { Feed } from '../../engine/ports.ts';
import { actorOf } from '../../engine/records/origin.ts';
import type { Caller } from '../../model/caller.ts';
import type { FeedEntry } from '../../model/change.ts';
import { EngineError } from '../../model/errors.ts';
import type { Sequence } from '../../model/ids.ts';
import type { UndoInput } from './history.ts';

const PAGE = 1000;

/** The record or the relation that a change is about. */
export function keyOf({ id, relation }: FeedEntry): string {
  return relation === null ? id : `${id} ${relation.to} ${relation.type}`;
}

interface Collected {
  chosen: FeedEntry[];
  /** What was changed after the chosen changes, or in between by others, as `keyOf` names it. */
  later: Set<string>;
}

/**
 * The changes that are meant: a range of numbers, one number, a batch, or without any of these the caller's last commit. Vectors that came later are no
 * changes to anybody.
 */
export async function collectChanges(
  { store }: { store: Feed },
  caller: Caller,
  { first, last = first, batch }: UndoInput,
): Promise<Collected> {
  const { space } = caller;
  const pruned = await store.prunedTo(space);
  if (first !== undefined && first <= pruned) throw tooOld(pruned);
  if (first !== undefined && last! < first)
    throw new EngineError('invalid_input', 'The last change comes before the first.', { details: { field: 'last' } });
  const entries: FeedEntry[] = [];
  for (let after: Sequence = first === undefined ? pruned : first - 1; ; ) {
    const page = await store.changesAfter(space, after, PAGE);
    entries.push(...page.filter(({ op }) => op !== 'embedded'));
    if (page.length < PAGE) break;
    after = page.at(-1)!.seq;
  }
  const isMeant = chooseBy(entries, { first, last, batch, actor: actorOf(caller) });
  const chosen = entries.filter(isMeant);
  const begins = chosen[0]?.seq ?? Number.POSITIVE_INFINITY;
  return { chosen, later: new Set(entries.filter((entry) => entry.seq > begins && !isMeant(entry)).map(keyOf)) };
}

function chooseBy(
  entries: readonly FeedEntry[],
  { first, last, batch, actor }: Pick<UndoInput, 'first' | 'last' | 'batch'> & { actor: string },
): (entry: FeedEntry) => boolean {
  if (batch !== undefined && batch !== '') return (entry) => isOfBatch(entry, batch);
  if (first !== undefined) return ({ seq }) => seq >= first && seq <= last!;
  // One commit has one time, and its changes follow each other.
  const end = entries.findLastIndex((entry) => entry.actor === actor);
  const latest = entries[end];
  let start = end;
  while (start > 0 && entries[start - 1]!.actor === actor && entries[start - 1]!.at === latest?.at) start--;
  const range = latest === undefined ? null : { from: entries[start]!.seq, to: latest.seq };
  return ({ seq }) => range !== null && seq >= range.from && seq <= range.to;
}

/** A batch is the whole name of who wrote, or what follows a `#` in it: `job:owner#06dwp2v4x1k8q3m5r7t9`. */
function isOfBatch({ actor }: FeedEntry, batch: string): boolean {
  return actor === batch || actor.endsWith(`#${batch}`);
}

function tooOld(pruned: Sequence): EngineError {
  return new EngineError('not_found', `Changes up to ${pruned} are no longer in the feed.`, {
    hint: '`ltm history REF` shows the earlier states of a memory, and `ltm edit REF --undo` goes back by one.',
    details: { pruned },
  });
}

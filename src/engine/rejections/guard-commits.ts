import type { Change, PutChange } from '../../model/change.ts';
import { passOver } from '../../model/damage.ts';
import { EngineError } from '../../model/errors.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import { dayOf, toIso } from '../../model/instant.ts';
import type { RecordContent } from '../../model/record.ts';
import type { Rejection } from '../../model/rejection.ts';
import { createPacer, type Pace } from '../../search/index/pacer.ts';
import type { Records, Store } from '../ports.ts';
import type { KindTable } from '../records/kind.ts';
import { claimOf, isReadOut, sourceOf } from './claims.ts';
import { type AllRejections, findInTurns, type SpaceRejections } from './space-rejections.ts';

export interface RejectionGuard {
  kinds: KindTable;
  rejections: AllRejections;
}

/**
 * The gate before every commit, whoever asks for it: no change makes a text current that a person has rejected. It throws; a job that brings many asks
 * `findRejectedChanges` before, leaves those out and goes on.
 */
export function guardCommits(store: Store, guard: RejectionGuard): Store {
  return {
    ...store,
    async commit(space, changes, actor) {
      const [found] = await findRejectedChanges(store, guard, { space, changes });
      if (found !== undefined) throw rejected(found.rejection);
      const committed = await store.commit(space, changes, actor);
      if (committed.outcome === 'committed') guard.rejections.noteCommitted(space, changes, committed.head);
      return committed;
    },
  };
}

interface RejectedChange {
  change: Change;
  rejection: Rejection;
}

/** What another replica has taken is judged where it is taken (`withdraw-taken.ts`). */
export async function findRejectedChanges(
  store: Records,
  { kinds, rejections }: RejectionGuard,
  { space, changes }: { space: SpaceId; changes: readonly Change[] },
): Promise<RejectedChange[]> {
  const claiming = changes.filter((change) => mayClaim(kinds, change));
  if (claiming.length === 0) return [];
  const first = await rejections.fresh(space);
  if (first.byClaim.size === 0) return [];
  const back = claiming.flatMap((change) => (change.op === 'restore' ? [change.id] : []));
  const restored = new Map(
    back.length === 0 ? [] : (await store.getRecords(space, back, passOver)).map((record) => [record.id, record]),
  );
  const state = back.length === 0 ? first : await rejections.fresh(space);
  const lifted = liftedBy(changes);
  const rewritten = new Set(changes.flatMap((change) => (change.op === 'put' ? [change.id] : [])));
  const found: RejectedChange[] = [];
  const pace = createPacer();
  for (const change of claiming) {
    if (lifted.has(change.op === 'import' ? change.record.id : 'id' in change ? change.id : '')) continue;
    // What is restored to be written anew at once is judged by what is written.
    if (change.op === 'restore' && rewritten.has(change.id)) continue;
    const content = contentOf(change, restored);
    if (content === undefined || content.supersededBy !== null) continue;
    // Whoever restores what was not needed needs it.
    const from = change.op !== 'restore' && isReadOut(content);
    const rejection =
      (await judge({ kinds, rejections }, { space, state, content, from, lifted, pace })) ??
      (change.op === 'put'
        ? await judgeStatements(store, { kinds, rejections, space, state, change, lifted, pace })
        : null);
    if (rejection !== null) found.push({ change, rejection });
  }
  return found;
}

/** Deleted or purged in the same commit: a record that does not stay, or a rejection that is lifted. */
function liftedBy(changes: readonly Change[]): ReadonlySet<RecordId> {
  return new Set(changes.flatMap((change) => (change.op === 'delete' || change.op === 'purge' ? [change.id] : [])));
}

function mayClaim(kinds: KindTable, change: Change): boolean {
  if (change.op === 'restore') return true;
  if (change.op === 'put') return kinds.find(change.content.kind)?.claim !== undefined;
  return (
    change.op === 'import' && change.record.deletedAt === null && kinds.find(change.record.kind)?.claim !== undefined
  );
}

function contentOf(change: Change, restored: ReadonlyMap<RecordId, RecordContent>): RecordContent | undefined {
  if (change.op === 'put') return change.content;
  if (change.op === 'import') return change.record;
  return change.op === 'restore' ? restored.get(change.id) : undefined;
}

interface Judged {
  space: SpaceId;
  state: SpaceRejections;
  lifted: ReadonlySet<RecordId>;
  pace: Pace;
}

async function judge(
  { kinds, rejections }: RejectionGuard,
  { space, state, content, from, lifted, pace }: Judged & { content: RecordContent; from: boolean },
): Promise<Rejection | null> {
  const text = claimOf(kinds, content);
  if (text === null) return null;
  const found = await findInTurns(rejections, space, {
    text,
    from: from ? sourceOf(content) : null,
    withParts: false,
    state,
    pace,
  });
  return found !== null && lifted.has(found.id) ? null : found;
}

/** A longer text may say it no more than before: one that has said it all along can still be tagged, rated and shortened. */
async function judgeStatements(
  store: Records,
  { kinds, rejections, space, state, change, lifted, pace }: RejectionGuard & Judged & { change: PutChange },
): Promise<Rejection | null> {
  const statedBy = (content: RecordContent): Promise<Rejection | null> =>
    findInTurns(rejections, space, { text: claimOf(kinds, content) ?? '', from: null, state, pace });
  const found = await statedBy(change.content);
  if (found === null || lifted.has(found.id)) return null;
  const [known] = typeof change.expect === 'number' ? await store.getRecords(space, [change.id], passOver) : [];
  return known !== undefined && (await statedBy(known))?.id === found.id ? null : found;
}

const WORDS: Readonly<Record<Rejection['how'], string>> = {
  rejected: 'rejected',
  resolved: 'rejected',
  deleted: 'rejected',
  purged: 'rejected',
  not_needed: 'deleted as not needed',
};

export function describeRejection({ how, at, why, from }: Rejection): string {
  const day = dayOf(at);
  const same = from === null ? '' : ' (as said by the same source)';
  return `${WORDS[how]} on ${day}${same}${why === null ? '' : `: ${why}`}`;
}

export function rejected(rejection: Rejection): EngineError {
  return new EngineError('rejected', `Not stored: this text was ${describeRejection(rejection)}`, {
    hint: `A person lifts it with \`ltm rejected lift ${rejection.id}\`.`,
    details: { rejection: rejection.id, rejected_at: toIso(rejection.at), how: rejection.how, why: rejection.why },
  });
}

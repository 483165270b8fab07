import type { EngineParts } from '../../engine/engine-parts.ts';
import type { Clock } from '../../engine/ports.ts';
import { retryConflicts } from '../../engine/records/change-record.ts';
import { checkText } from '../../engine/records/check-text.ts';
import { describeNode } from '../../engine/records/describe-graph.ts';
import { locate } from '../../engine/records/find-records.ts';
import { actorOf } from '../../engine/records/origin.ts';
import {
  contentOf,
  readSearchable,
  supersedeChange,
  supersedesRelation,
  updateChange,
} from '../../engine/records/record-changes.ts';
import { openRedactor } from '../../engine/records/redact-content.ts';
import { endRelation, makeRelation } from '../../engine/records/relate-records.ts';
import { foldInTurns, type Rejecting, rejectionOf } from '../../engine/rejections/claims.ts';
import { planRejections } from '../../engine/rejections/leave-rejections.ts';
import type { Caller } from '../../model/caller.ts';
import type { Change } from '../../model/change.ts';
import { EngineError } from '../../model/errors.ts';
import { DEFAULT_TAG } from '../../model/memory.ts';
import type { StoredRecord } from '../../model/record.ts';
import { createPacer } from '../../model/turn.ts';
import { type Resolved, type ResolveInput, UNRESOLVED_TAG } from './conflict.ts';
import { CONTRADICTS, findConflictsNearby } from './find-conflicts.ts';

/** Decides between two memories: the loser is hidden behind the winner, or both are kept and not reported again. */
export async function resolveConflict(parts: EngineParts, caller: Caller, input: ResolveInput): Promise<Resolved> {
  if (input.reason !== undefined) checkText('reason', input.reason);
  const redactor = await openRedactor(parts, caller);
  const reason = input.reason === undefined ? undefined : redactor.value('reason', input.reason).value;
  const keepsBoth = input.keepBoth === true;
  return retryConflicts(async () => {
    const wanted = { action: 'write', deleted: 'exclude' } as const;
    const winner = await locate(parts, caller, { ...wanted, ref: input.winner });
    const loser = await locate(parts, caller, { ...wanted, ref: input.loser });
    check(winner, loser);
    const changes = keepsBoth
      ? [
          ...planKeeping(parts, caller, { winner, loser, reason }),
          ...(await planUnmarking(parts, caller, loser, winner)),
        ]
      : await planReplacing(parts, caller, { winner, loser, reason });
    changes.push(...(await planUnmarking(parts, caller, winner, loser)));
    const committed = await parts.store.commit(winner.space, changes, actorOf(caller));
    if (committed.outcome === 'conflict') return null;
    const ends = { winner: describeNode(winner, null), loser: describeNode(loser, null) };
    return { outcome: keepsBoth ? 'kept_both' : 'superseded', ...ends };
  });
}

/** The tag goes with the last contradiction of a record; `other` is the one that was decided about. */
async function planUnmarking(
  parts: EngineParts,
  caller: Caller,
  record: StoredRecord,
  other: StoredRecord,
): Promise<Change[]> {
  if (!record.tags.includes(UNRESOLVED_TAG)) return [];
  const open = await findConflictsNearby(parts, caller, record.id);
  if (open.some(({ newer, older }) => newer.id !== other.id && older.id !== other.id)) return [];
  const content = { ...contentOf(withoutMark(record)), updatedAt: parts.clock.now() };
  const searchable = await readSearchable(parts, record);
  return [updateChange(record, content, { ...searchable, unlessDuplicate: false, reason: 'contradiction decided' })];
}

function withoutMark(record: StoredRecord): StoredRecord {
  const tags = record.tags.filter((tag) => tag !== UNRESOLVED_TAG);
  return tags.length === record.tags.length ? record : { ...record, tags: tags.length === 0 ? [DEFAULT_TAG] : tags };
}

interface Ends {
  winner: StoredRecord;
  loser: StoredRecord;
  reason: string | undefined;
}

async function planReplacing(parts: EngineParts, caller: Caller, { winner, loser, reason }: Ends): Promise<Change[]> {
  const at = parts.clock.now();
  return [
    await supersedeChange(parts, withoutMark(loser), { id: winner.id, at, reason: reason ?? 'contradicted' }),
    { op: 'relate', relation: supersedesRelation(winner.id, loser.id, at) },
    ...(await planRejections(parts, caller, {
      space: loser.space,
      rejecting: await rejectedBy(parts, caller, { winner, loser, reason }),
    })),
  ];
}

/** Who decides says that the loser is wrong; a job decides nothing, and two spellings of one text reject nothing. */
async function rejectedBy(parts: EngineParts, { door }: Caller, { winner, loser, reason }: Ends): Promise<Rejecting[]> {
  if (door === 'job') return [];
  const pace = createPacer();
  if ((await foldInTurns(winner.content, pace)) === (await foldInTurns(loser.content, pace))) return [];
  return rejectionOf(parts, loser, { how: 'resolved', why: reason ?? `contradicted by ${winner.id}` });
}

/** A contradiction that has ended: nothing proposes it anew. */
function planKeeping({ clock }: { clock: Clock }, caller: Caller, { winner, loser, reason }: Ends): Change[] {
  const now = clock.now();
  const by = actorOf(caller);
  const facts = { by, isInferred: true as const, ...(reason !== undefined && { note: reason }) };
  const relation = makeRelation({ from: winner.id, to: loser.id, type: CONTRADICTS, weight: 0, facts, now });
  return [{ op: 'relate', relation: endRelation(relation, { at: now, by }) }];
}

function check(winner: StoredRecord, loser: StoredRecord): void {
  if (winner.id === loser.id)
    throw new EngineError('invalid_input', 'Winner and loser are the same memory.', { details: { field: 'loser' } });
  if (winner.space !== loser.space)
    throw new EngineError('invalid_input', 'Both must be in the same space.', { details: { field: 'loser' } });
  const replaced = [winner, loser].find(({ supersededBy }) => supersededBy !== null);
  if (replaced !== undefined)
    throw new EngineError('conflict', 'One of them is superseded already.', {
      hint: 'Decide about the memory that took its place.',
      details: { id: replaced.id, supersededBy: replaced.supersededBy },
    });
}

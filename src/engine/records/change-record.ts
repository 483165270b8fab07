import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '../../model/caller.ts';
import type { Change, CommitConflict } from '../../model/change.ts';
import { EngineError } from '../../model/errors.ts';
import type { SpaceId } from '../../model/ids.ts';
import type { RecordContent, RecordKind, StoredRecord } from '../../model/record.ts';
import { createPacer } from '../../model/turn.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { Commits } from '../ports.ts';
import { locate } from './find-records.ts';
import { passagesOf } from './kind.ts';
import type { SearchableMaker } from './make-searchable.ts';
import { actorOf } from './origin.ts';
import { readSearchable, updateChange } from './record-changes.ts';

export interface ChangePlan<Outcome> {
  /** None: the outcome holds as things stand. */
  changes: Change[];
  outcome: Outcome;
}

interface RecordToChange<Outcome> {
  kind: RecordKind;
  ref: string;
  anyKindById?: boolean;
  /** Only if it is still at this revision. */
  revision?: number;
  plan(record: StoredRecord): Promise<ChangePlan<Outcome>>;
}

/** Reads a record, plans its change and commits it; begins anew when somebody else was faster. */
export async function changeRecord<Outcome>(
  parts: EngineParts,
  caller: Caller,
  { kind, ref, anyKindById, revision, plan }: RecordToChange<Outcome>,
): Promise<Outcome> {
  return retryConflicts(async () => {
    const record = await locate(parts, caller, { kind, ref, anyKindById, action: 'write', deleted: 'exclude' });
    checkRevision(record, revision);
    const { changes, outcome } = await plan(record);
    if (changes.length === 0) return outcome;
    const committed = await parts.store.commit(record.space, changes, actorOf(caller));
    if (committed.outcome === 'committed') return outcome;
    refuseLasting(kind, committed.conflict);
    return null;
  });
}

interface ContentChange {
  content: RecordContent;
  make: SearchableMaker;
  reason?: string;
  raisesTrust?: boolean;
}

/** New content for a record. Passages and vectors are made anew only where its text is another. */
export async function planContent(
  parts: EngineParts,
  record: StoredRecord,
  { content, make, ...options }: ContentChange,
): Promise<{ change: Change; record: StoredRecord; warnings: string[] }> {
  const kind = parts.kinds.need(record.kind);
  const pace = createPacer();
  const before = passagesOf(kind, record);
  await pace();
  const after = passagesOf(kind, content);
  const isRetexted = after.length !== before.length || after.some(({ text }, i) => text !== before[i]!.text);
  await pace();
  const [made] = isRetexted ? await make([content]) : [];
  const searchable = made ?? (await readSearchable(parts, record));
  const unlessDuplicate = content.contentHash !== record.contentHash || content.project !== record.project;
  const change = updateChange(record, content, { ...searchable, unlessDuplicate, ...options });
  return {
    change,
    record: { ...record, ...change.content, revision: record.revision + 1 },
    warnings: made?.warnings ?? [],
  };
}

/** A conflict that another attempt cannot resolve. */
function refuseLasting(kind: RecordKind, conflict: CommitConflict): void {
  if (conflict.reason === 'duplicate') {
    throw new EngineError('conflict', `Another ${kind} already has exactly this text.`, {
      hint: 'Use that one, or delete it first.',
      details: { other: conflict.id },
    });
  }
  if (conflict.reason === 'key_taken') {
    throw new EngineError('conflict', `The key of this ${kind} is in use in that project.`, {
      details: { other: conflict.id },
    });
  }
}

/** Throws a conflict when the record is no longer at the revision that the caller has read. */
export function checkRevision({ id, kind, revision: actual }: StoredRecord, expected: number | undefined): void {
  if (expected === undefined || actual === expected) return;
  throw new EngineError('conflict', `The ${kind} is at revision ${actual} by now.`, {
    hint: 'Read the memory again, then decide.',
    details: { id, expected, actual },
  });
}

/** Enough for dozens of writers who all want the same record; each attempt lets at least one of them through. */
const MAX_ATTEMPTS = 30;
const LONGEST_PAUSE_MS = 50;

/** Tries until `attempt` gives a result instead of null; pauses of random length keep rivals from meeting again and again. */
export async function retryConflicts<T>(attempt: () => Promise<T | null>): Promise<T> {
  for (let tries = 0; tries < MAX_ATTEMPTS; tries++) {
    const result = await attempt();
    if (result !== null) return result;
    await pause(Math.random() * Math.min(LONGEST_PAUSE_MS, 2 ** tries));
  }
  throw new EngineError('busy', 'Others kept changing the same record.', { hint: 'Try again in a moment.' });
}

/** Small enough that others get their turn in between: a deletion takes up to a fifth of a millisecond, and SQLite's holds up the whole program. */
const BATCH = 60;

/** Deletes or purges; what another process was faster with is passed over. Returns the changes that were made. */
export async function commitInBatches<C extends Change>(
  store: Commits,
  { space, actor, changes }: { space: SpaceId; actor: string; changes: readonly C[] },
): Promise<C[]> {
  const made: C[] = [];
  let rest = changes;
  while (rest.length > 0) {
    const batch = rest.slice(0, BATCH);
    const committed = await store.commit(space, batch, actor);
    if (committed.outcome === 'committed') {
      made.push(...batch);
      rest = rest.slice(batch.length);
    } else if (committed.conflict.reason === 'missing') {
      const { index } = committed.conflict;
      rest = rest.filter((_change, i) => i !== index);
    } else
      throw new EngineError('conflict', 'A record was changed in the meantime.', {
        hint: 'Read the memory again, then decide.',
        details: { ...committed.conflict },
      });
  }
  return made;
}

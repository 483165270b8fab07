import type { EngineParts } from '../../engine/engine-parts.ts';
import type { Clock } from '../../engine/ports.ts';
import { passagesOf } from '../../engine/records/kind.ts';
import { actorOf } from '../../engine/records/origin.ts';
import { makeContent } from '../../engine/records/store-record.ts';
import { findRejectedChanges } from '../../engine/rejections/guard-commits.ts';
import { type Caller, OWNER_USER } from '../../model/caller.ts';
import type { Change, PutChange } from '../../model/change.ts';
import { EngineError } from '../../model/errors.ts';
import { type Instant, newRecordId, type RecordId, type SpaceId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import type { ConsolidationRun, RunPurpose } from './consolidation.ts';
import { type RunBody, type RunHead, runKind, type UndoEntry } from './run-kind.ts';

const JOB_ACTOR = 'job:consolidate';
/** Changes in one commit: others get their turn in between. */
const MOST_CHANGES = 40;

/** One thing that a run does: changes that belong together, and what undoes them. */
export interface PlannedWork {
  changes: readonly Change[];
  undo: readonly UndoEntry[];
}

export type Counted = keyof ConsolidationRun['changes'];

/** Writes what a run does and, in the same commit, what undoes it: whatever becomes of this process, no change is left that nobody can take back. */
export interface RunJournal {
  readonly id: RecordId;
  /** Works that somebody was faster with are left out; returns those that were done. */
  write<Work extends PlannedWork>(works: readonly Work[], counted: Counted): Promise<Work[]>;
  finish(state: 'done' | 'interrupted', about: { examined: number; notices: readonly string[] }): Promise<void>;
}

export interface RunOptions {
  space: SpaceId;
  /** Null: upkeep does it by itself. */
  caller: Caller | null;
  purpose: RunPurpose;
}

export async function openRun(parts: EngineParts, { space, caller, purpose }: RunOptions): Promise<RunJournal> {
  const { store, clock } = parts;
  const id = newRecordId(clock.now());
  // What stands behind the # is a batch that the feed's undo takes back by name.
  const actor = `${caller === null ? JOB_ACTOR : actorOf(caller)}#${id}`;
  const head: RunHead = {
    what: 'run',
    purpose,
    state: 'running',
    by: actor.slice(0, -id.length - 1),
    startedAt: clock.now(),
    finishedAt: null,
    undoneAt: null,

    examined: 0,
    changes: { quality: 0, summaries: 0, archived: 0, merged: 0, insights: 0, associations: 0 },
    notices: [],
  };
  let revision = 0;
  let number = 0;
  const putHead = async (): Promise<void> => {
    const put = putRunRecord(parts, {
      id,
      body: head,
      key: id,
      session: id,
      createdAt: head.startedAt,
      expect: revision === 0 ? 'new' : revision,
    });
    const committed = await store.commit(space, [put], actor);
    if (committed.outcome === 'conflict')
      throw new EngineError('conflict', 'The run was undone while it went on.', { details: { run: id } });
    revision = committed.revisions.get(id)!;
  };
  await putHead();
  return {
    id,
    async write(works, counted) {
      const done: (typeof works)[number][] = [];
      const changes = works.flatMap((work) => work.changes);
      const kept = new Set((await findRejectedChanges(store, parts, { space, changes })).map(({ change }) => change));
      for (const group of groupWorks(works.filter((work) => !work.changes.some((change) => kept.has(change))))) {
        let rest = group;
        while (rest.length > 0) {
          const part: RunBody = {
            what: 'part',
            run: id,
            number,
            entries: rest.flatMap(({ undo }) => undo),
            undoneAt: null,
          };
          const partId = newRecordId(clock.now());
          const put = putRunRecord(parts, {
            id: partId,
            body: part,
            key: `${id} ${number}`,
            session: id,
            expect: 'new',
          });
          const committed = await store.commit(space, [...rest.flatMap(({ changes }) => changes), put], actor);
          if (committed.outcome === 'committed') {
            number++;
            head.changes[counted] += rest.length;
            done.push(...rest);
            break;
          }
          rest = withoutTheOneAt(rest, committed.conflict.index);
        }
      }
      return done;
    },
    async finish(state, { examined, notices }) {
      Object.assign(head, { state, examined, notices: [...notices], finishedAt: clock.now() });
      await putHead();
    },
  };
}

interface RunRecord {
  id: RecordId;
  body: RunBody;
  key: string;
  /** What belongs to a run is found by it. */
  session: RecordId | null;
  expect: PutChange['expect'];
  /** When it was first written; absent: now. */
  createdAt?: Instant;
}

export function putRunRecord(
  { clock }: { clock: Clock },
  { id, body, key, session, expect, createdAt }: RunRecord,
): PutChange {
  const now = clock.now();
  const content = makeContent(runKind, createdAt ?? now, {
    key,
    session,
    type: body.what,
    agent: null,
    trust: 'agent',
    updatedAt: now,
    source: { door: 'job', userId: OWNER_USER },
    body: body as unknown as JsonObject,
  });
  const passages = passagesOf(runKind, content);
  return { op: 'put', id, content, passages, vectors: [], expect, unlessDuplicate: false, isDerived: true };
}

/** Together no more than one commit should hold. */
function groupWorks<Work extends PlannedWork>(works: readonly Work[]): Work[][] {
  const groups: Work[][] = [];
  let weight = Number.POSITIVE_INFINITY;
  for (const work of works) {
    if (weight + work.changes.length > MOST_CHANGES) {
      groups.push([]);
      weight = 0;
    }
    groups.at(-1)!.push(work);
    weight += work.changes.length;
  }
  return groups;
}

function withoutTheOneAt<Work extends PlannedWork>(works: readonly Work[], index: number): Work[] {
  let at = 0;
  return works.filter(({ changes }) => {
    const isTheOne = index >= at && index < at + changes.length;
    at += changes.length;
    return !isTheOne;
  });
}

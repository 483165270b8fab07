import { isDeepStrictEqual } from 'node:util';
import { authorize } from '../../engine/authorize.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import { retryConflicts } from '../../engine/records/change-record.ts';
import { readPages } from '../../engine/records/find-records.ts';
import { actorOf } from '../../engine/records/origin.ts';
import { contentOf } from '../../engine/records/record-changes.ts';
import type { Caller } from '../../model/caller.ts';
import type { Change } from '../../model/change.ts';
import { EngineError } from '../../model/errors.ts';
import { isRecordId, type RecordId, type SpaceId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import type { RecordContent, StoredRecord } from '../../model/record.ts';
import { planQuality } from '../quality/rate-memory.ts';
import type { UndoneRun } from './consolidation.ts';
import { listRunRecords } from './list-runs.ts';
import { withoutArchive } from './restore-archived.ts';
import { putRunRecord } from './run-journal.ts';
import { type RunHead, type RunPart, runKind, toRun, type UndoEntry } from './run-kind.ts';

const PAGE = 100;

/** Takes back everything that a run has done, part by part, the last first. Whoever is interrupted begins again where they were. */
export async function undoRun(parts: EngineParts, caller: Caller, run: string): Promise<UndoneRun> {
  authorize(caller, 'write', caller.space);
  const { space } = caller;
  const head = await findRun(parts, space, run);
  const undone: UndoneRun = { run: toRun(head), restored: 0, removed: 0, left: [] };
  if (undone.run.undoneAt !== null)
    throw new EngineError('conflict', 'This run is undone already.', { details: { run } });
  const filter = { kinds: [runKind.name], session: head.id, types: ['part'] };
  const parted: StoredRecord[] = [];
  for await (const { items } of readPages(parts.store, space, { filter, limit: PAGE })) parted.push(...items);
  const bodyOf = (record: StoredRecord) => record.body as unknown as RunPart;
  for (const part of parted.sort((a, b) => bodyOf(b).number - bodyOf(a).number))
    if (bodyOf(part).undoneAt === null) await undoPart(parts, caller, { part, run: head.id, undone });
  const body: RunHead = { ...(head.body as unknown as RunHead), state: 'undone', undoneAt: parts.clock.now() };
  const put = putRunRecord(parts, {
    id: head.id,
    body,
    key: head.id,
    session: head.id,
    createdAt: head.createdAt,
    expect: head.revision,
  });
  const committed = await parts.store.commit(space, [put], actorOf(caller));
  if (committed.outcome === 'conflict')
    throw new EngineError('conflict', 'The run is still going on.', { hint: 'Try again when it has ended.' });
  return { ...undone, run: toRun({ id: head.id, body: body as unknown as JsonObject }) };
}

async function findRun(parts: EngineParts, space: SpaceId, run: string): Promise<StoredRecord> {
  const wanted =
    run === 'last' ? (await listRunRecords(parts, space, 50)).find((one) => toRun(one).undoneAt === null)?.id : run;
  const [head] = wanted !== undefined && isRecordId(wanted) ? await parts.store.getRecords(space, [wanted]) : [];
  if (head !== undefined && head.kind === runKind.name && head.type === 'run') return head;
  throw new EngineError('not_found', 'There is no such run.', {
    hint: '`ltm consolidate status` lists them.',
    details: { run },
  });
}

interface PartWork {
  part: StoredRecord;
  run: RecordId;
  undone: UndoneRun;
}

/** One commit for each part: what it restores, and that it is undone. */
async function undoPart(parts: EngineParts, caller: Caller, { part, run, undone }: PartWork): Promise<void> {
  const { space } = caller;
  const body = part.body as unknown as RunPart;
  await retryConflicts(async () => {
    const ids = [...new Set(body.entries.flatMap((entry) => ('id' in entry ? [entry.id] : [])))];
    const known = new Map((await parts.store.getRecords(space, ids)).map((record) => [record.id, record]));
    const changes: Change[] = [];
    const tally = { restored: 0, removed: 0, left: [] as RecordId[] };
    for (const [id, entries] of Map.groupBy(body.entries.toReversed(), (entry) => ('id' in entry ? entry.id : ''))) {
      if (id === '')
        for (const entry of entries)
          if (entry.what === 'related')
            changes.push({ op: 'unrelate', from: entry.from, to: entry.to, type: entry.type });
      if (id !== '') undoRecord(parts, { entries, record: known.get(id), id, run, changes, tally });
    }
    const put = putRunRecord(parts, {
      id: part.id,
      body: { ...body, undoneAt: parts.clock.now() },
      key: part.key!,
      session: run,
      createdAt: part.createdAt,
      expect: part.revision,
    });
    const committed = await parts.store.commit(space, [...changes, put], actorOf(caller));
    if (committed.outcome === 'conflict') {
      // Whatever stands in the way for good would do so at every attempt: what has the key or the text now stays as it is.
      if (committed.conflict.reason === 'key_taken' || committed.conflict.reason === 'duplicate')
        refuse(committed.conflict.id, run);
      return null;
    }
    undone.restored += tally.restored;
    undone.removed += tally.removed;
    undone.left.push(...tally.left);
    return true;
  });
}

function refuse(other: RecordId, run: RecordId): never {
  throw new EngineError('conflict', 'Another memory has by now the key of one that would come back.', {
    hint: 'Give that one another key, or delete it, and undo the run again.',
    details: { other, run },
  });
}

interface RecordWork {
  entries: readonly UndoEntry[];
  record: StoredRecord | undefined;
  id: RecordId;
  run: RecordId;
  changes: Change[];
  tally: { restored: number; removed: number; left: RecordId[] };
}

function undoRecord(parts: EngineParts, { entries, record, id, run, changes, tally }: RecordWork): void {
  if (record === undefined || record.deletedAt !== null) return void tally.left.push(id);
  const made = entries.find((entry) => entry.what === 'made');
  if (made !== undefined) {
    if (made.contentHash !== record.contentHash) return void tally.left.push(id);
    changes.push({ op: 'delete', id, at: parts.clock.now(), revision: record.revision });
    tally.removed++;
    return;
  }
  let content: RecordContent | null = contentOf(record);
  for (const entry of entries) content = content === null ? null : undoEntry(content, entry, run);
  if (content === null) return void tally.left.push(id);
  changes.push(planQuality(parts, record, { content, reason: `run ${run} undone` }));
  tally.restored++;
}

/** Null: somebody has changed since what the run had changed. */
function undoEntry(content: RecordContent, entry: UndoEntry, run: RecordId): RecordContent | null {
  switch (entry.what) {
    case 'archived':
      return content.supersededBy === run ? withoutArchive(content) : null;
    case 'merged':
      return content.supersededBy === entry.into ? { ...content, supersededBy: null, key: entry.key } : null;
    case 'labels':
      return isDeepStrictEqual(content.tags, entry.given) ? { ...content, tags: entry.tags } : null;
    case 'quality': {
      const { quality: _, ...rest } = content.body;
      const body = entry.facts === null ? rest : { ...rest, quality: entry.facts as unknown as JsonObject };
      const last = (content.body.quality as { events?: { how: string }[] } | undefined)?.events?.at(-1);
      return last?.how === 'used' || last?.how === 'scored' ? { ...content, quality: entry.quality, body } : null;
    }
    default:
      return content;
  }
}

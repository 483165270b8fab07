import type { EngineParts } from '../../engine/engine-parts.ts';
import { checkContent, readCheckedTags, readLabel } from '../../engine/records/check-text.ts';
import { locate } from '../../engine/records/find-records.ts';
import { createSearchableMaker } from '../../engine/records/make-searchable.ts';
import { originOf } from '../../engine/records/origin.ts';
import { contentOf, createChange, supersedesRelation } from '../../engine/records/record-changes.ts';
import { openRedactor } from '../../engine/records/redact-content.ts';
import { makeContent } from '../../engine/records/store-record.ts';
import { findRejectedChanges, rejected } from '../../engine/rejections/guard-commits.ts';
import type { Caller } from '../../model/caller.ts';
import type { Change } from '../../model/change.ts';
import { EngineError } from '../../model/errors.ts';
import { newRecordId, type RecordId } from '../../model/ids.ts';
import { lowestTrust, type StoredRecord } from '../../model/record.ts';
import type { Memory } from '../memories/memory.ts';
import { memoryKind } from '../memories/memory-kind.ts';
import { toMemory } from '../memories/to-memory.ts';
import { planQuality } from '../quality/rate-memory.ts';
import { planArchive } from './plan-changes.ts';
import { openRun, type PlannedWork } from './run-journal.ts';

export interface MergeInput {
  refs: readonly string[];
  /** What takes their place. */
  content: string;
  tags?: readonly string[] | string;
  type?: string;
}

export interface MergedMemories {
  run: RecordId;
  memory: Memory;
  merged: RecordId[];
}

/** Several memories become one in the caller's words; they stay readable behind it. */
export async function mergeMemories(parts: EngineParts, caller: Caller, input: MergeInput): Promise<MergedMemories> {
  const sources = await locateOwn(parts, caller, input.refs);
  if (sources.length < 2)
    throw new EngineError('invalid_input', 'Name at least two memories to merge.', { details: { field: 'refs' } });
  checkContent(input.content, parts.settings.maxContentChars);
  const now = parts.clock.now();
  const [first] = sources;
  const { source, trust } = originOf(caller, caller.host);
  const drafted = makeContent(memoryKind, now, {
    source,
    trust: sources.map((one) => one.trust).reduce(lowestTrust, trust),
    agent: caller.agent ?? null,
    content: input.content,
    type: readLabel('type', input.type) ?? first!.type,
    body: { metadata: {} },
    tags: input.tags === undefined ? [...new Set(sources.flatMap(({ tags }) => tags))] : readCheckedTags(input.tags),
    project: sources.every(({ project }) => project === first!.project) ? first!.project : null,
    quality: Math.max(...sources.map(({ quality }) => quality)),
  });
  const redactor = await openRedactor(parts, caller);
  await redactor.readAhead(drafted.content);
  const { content } = redactor.content(drafted);
  const [made] = await createSearchableMaker(parts)([content]);
  const id = newRecordId(now);
  const changes: Change[] = sources.map((record) =>
    planQuality(parts, record, {
      content: { ...contentOf(record), key: null, supersededBy: id },
      reason: `merged into ${id}`,
    }),
  );
  const relations: Change[] = sources.map((record) => ({
    op: 'relate',
    relation: supersedesRelation(id, record.id, now),
  }));
  const work: PlannedWork = {
    changes: [...changes, createChange(id, content, { ...made!, unlessDuplicate: true }), ...relations],
    undo: [
      { what: 'made', id, contentHash: content.contentHash },
      ...sources.map(({ id: to }) => ({ what: 'related' as const, from: id, to, type: 'supersedes' })),
      ...sources.map((record) => ({ what: 'merged' as const, id: record.id, into: id, key: record.key })),
    ],
  };
  const [kept] = await findRejectedChanges(parts.store, parts, { space: caller.space, changes: work.changes });
  if (kept !== undefined) throw rejected(kept.rejection);
  const run = await writeAtOnce(parts, caller, { work, purpose: 'merge', counted: 'merged' });
  const [stored] = await parts.store.getRecords(caller.space, [id]);
  return { run, memory: toMemory(stored!), merged: sources.map((record) => record.id) };
}

export interface ArchivedMemories {
  run: RecordId | null;
  archived: RecordId[];
  missing: string[];
}

/** By hand: hidden from search until somebody restores them. */
export async function archiveMemories(
  parts: EngineParts,
  caller: Caller,
  refs: readonly string[],
): Promise<ArchivedMemories> {
  const records = (await locateOwn(parts, caller, refs)).filter(({ supersededBy }) => supersededBy === null);
  if (records.length === 0) return { run: null, archived: [], missing: [...refs] };
  const at = parts.clock.now();
  const journal = await openRun(parts, { space: caller.space, caller, purpose: 'archive' });
  const works = records.map((record) => ({
    ...planArchive(parts, record, { run: journal.id, reason: 'by hand', at }),
    id: record.id,
  }));
  const archived = (await journal.write(works, 'archived')).map(({ id }) => id);
  await journal.finish('done', { examined: records.length, notices: [] });
  return { run: journal.id, archived, missing: [] };
}

async function locateOwn(parts: EngineParts, caller: Caller, refs: readonly string[]): Promise<StoredRecord[]> {
  const found = new Map<RecordId, StoredRecord>();
  for (const ref of refs) {
    const record = await locate(parts, caller, { kind: memoryKind.name, ref, action: 'write', deleted: 'exclude' });
    if (record.space !== caller.space)
      throw new EngineError('invalid_input', 'This memory is in another space.', {
        hint: 'Do it in the team that it belongs to.',
        details: { ref },
      });
    found.set(record.id, record);
  }
  return [...found.values()];
}

interface OneWork {
  work: PlannedWork;
  purpose: 'merge';
  counted: 'merged';
}

async function writeAtOnce(parts: EngineParts, caller: Caller, { work, purpose, counted }: OneWork): Promise<RecordId> {
  const journal = await openRun(parts, { space: caller.space, caller, purpose });
  const done = await journal.write([work], counted);
  await journal.finish('done', { examined: work.undo.length, notices: [] });
  if (done.length === 1) return journal.id;
  throw new EngineError('conflict', 'One of the memories was changed meanwhile, or the same text is stored already.', {
    hint: 'Read them again, then decide.',
  });
}

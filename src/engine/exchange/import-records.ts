import type { Caller } from '../../model/caller.ts';
import type { Change, CommitConflict, ImportChange } from '../../model/change.ts';
import type { RecordId } from '../../model/ids.ts';
import { canonicalJson } from '../../model/json-text.ts';
import type { Passage } from '../../model/passage.ts';
import type { StoredRecord } from '../../model/record.ts';
import type { Relation } from '../../model/relation.ts';
import { authorize } from '../authorize.ts';
import type { ImportOptions, ImportReport } from '../engine.ts';
import type { EngineParts } from '../engine-parts.ts';
import { splitPassages } from '../memories/split-passages.ts';
import { packetPassages } from '../packets/packet-passages.ts';
import { toStoredPacket } from '../packets/packet-record.ts';
import { exportedRecord } from './export-lines.ts';
import { type ImportedRecord, readExport } from './read-export.ts';

const BATCH = 100;

/**
 * Brings an export into the caller's space exactly as it was: ids, revisions, times, versions, trust. What is there already is never overwritten,
 * so that an import that was interrupted can simply be repeated. Vectors are made in the background.
 */
export async function importRecords(
  parts: EngineParts,
  caller: Caller,
  lines: AsyncIterable<string>,
  options: ImportOptions,
): Promise<ImportReport> {
  authorize(caller, 'admin', caller.space);
  const { records, relations, problems } = await readExport(lines);
  const report: ImportReport = { records: 0, unchanged: 0, conflicts: [], versions: 0, relations: 0, problems };
  if (problems.length > 0) return report;
  const work: Work = { parts, caller, options, report };
  const oldestFirst = records.reverse();
  for (let start = 0; start < oldestFirst.length; start += BATCH) {
    await importBatch(work, oldestFirst.slice(start, start + BATCH));
    options.onProgress?.(Math.min(start + BATCH, oldestFirst.length));
  }
  const ids = new Set(records.map(({ record }) => record.id));
  for (let start = 0; start < relations.length; start += BATCH)
    await importRelations(work, relations.slice(start, start + BATCH), ids);
  return report;
}

interface Work {
  parts: EngineParts;
  caller: Caller;
  options: ImportOptions;
  report: ImportReport;
}

async function importBatch({ parts, caller, options, report }: Work, batch: readonly ImportedRecord[]): Promise<void> {
  const { store } = parts;
  const there = new Map(
    (
      await store.getRecords(
        caller.space,
        batch.map(({ record }) => record.id),
      )
    ).map((record) => [record.id, record]),
  );
  let changes: ImportChange[] = [];
  for (const imported of batch) {
    const change = importChange(caller, imported, options);
    const known = there.get(change.record.id);
    if (known === undefined) changes.push(change);
    else if (isSame(known, change.record)) report.unchanged++;
    else report.conflicts.push(`${known.id}: a record of this id is there and differs.`);
  }
  while (options.dryRun !== true && changes.length > 0) {
    const committed = await store.commit(caller.space, changes, `import:${caller.userId}`);
    if (committed.outcome === 'committed') break;
    const { index } = committed.conflict;
    report.conflicts.push(`${changes[index]!.record.id}: ${explain(committed.conflict)}`);
    changes = changes.filter((_change, i) => i !== index);
  }
  report.records += changes.length;
  for (const { versions } of changes) report.versions += versions.length;
}

async function importRelations(
  { parts, caller, options, report }: Work,
  batch: readonly Relation[],
  imported: ReadonlySet<RecordId>,
): Promise<void> {
  const { store } = parts;
  const ends = [...new Set(batch.flatMap(({ from, to }) => [from, to]))];
  const there = new Set((await store.getRecords(caller.space, ends)).map((record) => record.id));
  if (options.dryRun === true) for (const id of imported) there.add(id);
  const known = new Set((await store.listRelations(caller.space, [...there])).map(canonicalJson));
  const changes: Change[] = [];
  for (const relation of batch) {
    const missing = [relation.from, relation.to].find((id) => !there.has(id));
    if (missing !== undefined)
      report.conflicts.push(`${relation.from} ${relation.type} ${relation.to}: there is no record ${missing}.`);
    else if (!known.has(canonicalJson(relation))) changes.push({ op: 'relate', relation });
  }
  if (options.dryRun !== true && changes.length > 0)
    await store.commit(caller.space, changes, `import:${caller.userId}`);
  report.relations += changes.length;
}

function importChange(
  caller: Caller,
  { record, versions }: ImportedRecord,
  { untrusted }: ImportOptions,
): ImportChange {
  const here = (exported: ImportedRecord['record']): StoredRecord => ({
    ...exported,
    space: caller.space,
    trust: untrusted === true ? 'untrusted' : exported.trust,
  });
  return {
    op: 'import',
    record: here(record),
    versions: versions.map((version) => ({ ...version, record: here(version.record) })),
    passages: passagesOf(here(record)),
    vectors: [],
  };
}

function passagesOf(record: StoredRecord): Passage[] {
  if (record.kind !== 'packet') return splitPassages(record.content);
  return packetPassages(toStoredPacket(record).packet).map(({ ordinal, text }) => ({ ordinal, text }));
}

function isSame(a: StoredRecord, b: StoredRecord): boolean {
  return canonicalJson(exportedRecord(a)) === canonicalJson(exportedRecord(b));
}

function explain(conflict: CommitConflict): string {
  if (conflict.reason === 'key_taken') return `its key belongs to ${conflict.id}.`;
  return 'a record of this id is there and differs.';
}

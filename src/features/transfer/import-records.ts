import { authorize } from '../../engine/authorize.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import { passagesOf } from '../../engine/records/kind.ts';
import { openRedactor, type Redactor } from '../../engine/records/redact-content.ts';
import { stampsHoldSecret } from '../../engine/records/screen-stamps.ts';
import { findRejectedChanges } from '../../engine/rejections/guard-commits.ts';
import { rejectionKind } from '../../engine/rejections/rejection-kind.ts';
import { withdrawRejected } from '../../engine/rejections/withdraw-rejected.ts';
import type { Caller } from '../../model/caller.ts';
import { canonicalJson } from '../../model/canonical-json.ts';
import type { Change, CommitConflict, Grave, ImportChange, ImportedState } from '../../model/change.ts';
import { collectDamage, passOver } from '../../model/damage.ts';
import type { RecordId } from '../../model/ids.ts';
import type { RecordKind, StoredRecord } from '../../model/record.ts';
import { describeRedactions } from '../../model/redaction.ts';
import type { Relation } from '../../model/relation.ts';
import { createPacer } from '../../search/index/pacer.ts';
import { giveNumbers } from './give-numbers.ts';
import { openPieces } from './import-pieces.ts';
import { type ImportedRecord, type LineProblem, readExport } from './read-export.ts';
import { isSameRecord, stampImported } from './stamp-imported.ts';
import { updateImported } from './update-imported.ts';

export interface ImportOptions {
  dryRun?: boolean;
  /** Mark everything as untrusted, whatever the file says, and what it says of its origin as a claim. */
  untrusted?: boolean;
  /** Take secrets in as they are. Persons only. */
  noRedact?: boolean;
  /** Leave out lines that are damaged, and import the rest. */
  skipDamaged?: boolean;
  /** Bring up to date what an earlier import brought and nobody has changed here since. */
  update?: boolean;
  onProgress?: (done: number, total: number) => void;
}

export interface ImportReport {
  /** Tombstones of what was rejected come along uncounted, here as below. */
  records: number;
  /** Already there, same content. */
  unchanged: number;
  /** Brought up to date, as was asked for. */
  updated: number;
  /** Left out: a person has rejected what they state. */
  rejected: number;
  /** Already there and different: left alone, named. */
  conflicts: string[];
  versions: number;
  relations: number;
  /** Records, or versions of them, in which secrets were found, with what was found and where. */
  redacted: string[];
  /** Line number and reason of lines that could not be read; any makes the import fail before it writes. */
  problems: LineProblem[];
  /** Those that were left out as damaged, as was asked for. */
  skipped: LineProblem[];
  /** What the file says that it lacks, because it was damaged where the file was written. */
  lacking: string[];
}

const BATCH = 100;
/** So many records change what a database's planner should know. */
const MANY = 1_000;

/**
 * Brings an export into the caller's space: ids, revisions, times and versions exactly as they were, origin and trust as `stampImported` says. What is
 * there already is not overwritten, unless `update` asks for it, so that an import that was interrupted can simply be repeated. Vectors are made in the background.
 */
export async function importRecords(
  parts: EngineParts,
  caller: Caller,
  lines: AsyncIterable<string>,
  options: ImportOptions,
): Promise<ImportReport> {
  authorize(caller, 'admin', caller.space);
  const pieces = await openPieces(parts, caller, options);
  const reading = { skipDamaged: options.skipDamaged, takeChunk: pieces.take };
  const { records, relations, graves, chunks: _, ...found } = await readExport(parts.kinds, lines, reading);
  const report: ImportReport = {
    records: 0,
    unchanged: 0,
    updated: 0,
    rejected: 0,
    conflicts: [],
    versions: 0,
    relations: 0,
    redacted: [],
    ...found,
  };
  const redactor = await openRedactor(parts, caller, options.noRedact);
  if (report.problems.length > 0) return report;
  const work: Work = { parts, caller, options, report, redactor, rejected: new Set() };
  const oldestFirst = records.reverse();
  for (let start = 0; start < oldestFirst.length; start += BATCH) {
    await importBatch(work, oldestFirst.slice(start, start + BATCH));
    options.onProgress?.(Math.min(start + BATCH, oldestFirst.length), oldestFirst.length);
  }
  const ids = new Set(records.map(({ record }) => record.id));
  for (let start = 0; start < relations.length; start += BATCH)
    await importRelations(work, relations.slice(start, start + BATCH), ids);
  for (const grave of options.dryRun === true ? [] : graves) await importGrave(work, grave);
  if (options.dryRun !== true && records.some(({ record }) => record.kind === rejectionKind.name))
    report.rejected += (
      await withdrawRejected(parts, { space: caller.space, actor: `import:${caller.userId}` })
    ).length;
  report.redacted.push(...(await pieces.redact([...ids])));
  if (options.dryRun !== true && report.records >= MANY) await parts.store.gatherStatistics?.();
  if (options.dryRun !== true && report.records > 0) parts.tally.workLeft();
  return report;
}

interface Work {
  parts: EngineParts;
  caller: Caller;
  options: ImportOptions;
  report: ImportReport;
  redactor: Redactor;
  /** Left out as rejected: relations to them are, too. */
  rejected: Set<RecordId>;
}

const DAMAGED_HERE = 'it is here already, and damaged: `ltm doctor --repair --from FILE` restores it from this file.';

async function importBatch(work: Work, batch: readonly ImportedRecord[]): Promise<void> {
  const { caller, options, report } = work;
  const { store } = work.parts;
  const ids = batch.map(({ record }) => record.id);
  const damage = collectDamage();
  const sound = await store.getRecords(caller.space, ids, damage.note);
  const there = new Map(sound.map((record) => [record.id, record]));
  const damaged = new Set(damage.ids());
  let changes: ImportChange[] = [];
  const pace = createPacer();
  for (const imported of batch) {
    await pace();
    for (const { content } of [imported.record, ...imported.versions.map(({ record }) => record)])
      await work.redactor.readAhead(content);
    const change = importChange(work, imported);
    const known = there.get(change.record.id);
    if (damaged.has(change.record.id)) report.conflicts.push(`${change.record.id}: ${DAMAGED_HERE}`);
    else if (known === undefined) changes.push(change);
    else if (isSameRecord(work.parts.kinds, known, { exported: imported.record, stamped: change.record }))
      report.unchanged += isCounted(work.parts, known) ? 1 : 0;
    else if (options.update === true) await importAgain(work, known, change.record);
    else report.conflicts.push(`${known.id}: a different record with this id already exists.`);
  }
  const kept = new Set(
    (await findRejectedChanges(store, work.parts, { space: caller.space, changes })).map(({ change }) => change),
  );
  report.rejected += kept.size;
  for (const change of kept) if (change.op === 'import') work.rejected.add(change.record.id);
  changes = changes.filter((change) => !kept.has(change));
  while (options.dryRun !== true && changes.length > 0) {
    const numbered = await giveNumbers(work.parts, caller.space, changes);
    const committed = await store.commit(caller.space, numbered, `import:${caller.userId}`);
    if (committed.outcome === 'committed') break;
    const { index, reason } = committed.conflict;
    if (reason === 'numbered') continue;
    report.conflicts.push(`${changes[index]!.record.id}: ${explain(committed.conflict)}`);
    changes = changes.filter((_change, i) => i !== index);
  }
  report.records += changes.filter(({ record }) => isCounted(work.parts, record)).length;
  for (const { versions } of changes) report.versions += versions.length;
}

/** What the product keeps for itself comes along, and is not what somebody has stored. */
function isCounted({ kinds }: EngineParts, { kind }: { kind: RecordKind }): boolean {
  return kinds.find(kind)?.isKeptApart !== true;
}

async function importAgain(
  { parts, caller, options, report }: Work,
  known: StoredRecord,
  imported: ImportedState,
): Promise<void> {
  const again = await updateImported(parts, known, imported);
  if (again.outcome === 'same') report.unchanged++;
  else if (again.outcome === 'changed_here') report.conflicts.push(`${known.id}: ${again.why}`);
  else if ((await findRejectedChanges(parts.store, parts, { space: caller.space, changes: [again.change] })).length > 0)
    report.rejected++;
  else {
    const committed =
      options.dryRun === true
        ? null
        : await parts.store.commit(caller.space, [again.change], `import:${caller.userId}`);
    if (committed?.outcome === 'conflict') report.conflicts.push(`${known.id}: ${explain(committed.conflict)}`);
    else report.updated++;
  }
}

async function importRelations(
  { parts, caller, options, report, redactor, rejected }: Work,
  batch: readonly Relation[],
  imported: ReadonlySet<RecordId>,
): Promise<void> {
  const { store } = parts;
  const ends = [...new Set(batch.flatMap(({ from, to }) => [from, to]))];
  const there = new Set((await store.getRecords(caller.space, ends, passOver)).map((record) => record.id));
  if (options.dryRun === true) for (const id of imported) there.add(id);
  const known = new Set((await store.listRelations(caller.space, [...there], passOver)).map(canonicalJson));
  const changes: Change[] = [];
  for (const said of batch) {
    const relation = redactRelation(redactor, said, report);
    if (rejected.has(relation.from) || rejected.has(relation.to)) continue;
    const missing = [relation.from, relation.to].find((id) => !there.has(id));
    if (missing !== undefined)
      report.conflicts.push(`${relation.from} ${relation.type} ${relation.to}: there is no record ${missing}.`);
    else if (!known.has(canonicalJson(relation))) changes.push({ op: 'relate', relation });
  }
  if (options.dryRun !== true && changes.length > 0)
    await store.commit(caller.space, changes, `import:${caller.userId}`);
  report.relations += changes.length;
}

function redactRelation(redactor: Redactor, relation: Relation, report: ImportReport): Relation {
  const [type, body] = [redactor.value('type', relation.type), redactor.value('', relation.body)];
  const redactions = [...type.redactions, ...body.redactions];
  if (redactions.length === 0) return relation;
  report.redacted.push(
    `the relation of ${relation.from} and ${relation.to}: ${describeRedactions(redactions).join(' ')}`,
  );
  return { ...relation, type: type.value, body: body.value };
}

/** What is here is not purged because it was elsewhere. */
async function importGrave({ parts, caller, report }: Work, grave: Grave): Promise<void> {
  const committed = await parts.store.commit(caller.space, [{ op: 'bury', grave }], `import:${caller.userId}`);
  if (committed.outcome === 'conflict')
    report.conflicts.push(`${grave.id}: it was purged where this comes from, and is kept here.`);
}

function importChange(work: Work, { record: line, versions }: ImportedRecord): ImportChange {
  const { stamps, ...record } = line;
  const { parts, caller, options, redactor, report } = work;
  const { kinds, clock } = parts;
  const importing = { kinds, caller, now: clock.now(), untrusted: options.untrusted === true };
  const here = (exported: ImportedRecord['record']): ImportedState => {
    const { content, redactions } = redactor.content(stampImported(exported, importing));
    if (redactions.length > 0)
      report.redacted.push(
        `${exported.id}, revision ${exported.revision}: ${describeRedactions(redactions).join(' ')}`,
      );
    const tags = kinds.find(content.kind)?.foldTags?.(content.tags) ?? content.tags;
    return { ...content, tags };
  };
  const current = here(record);
  return {
    op: 'import',
    record: current,
    versions: versions.map((version) => ({ ...redactReason(redactor, version), record: here(version.record) })),
    passages: passagesOf(kinds.need(record.kind), current),
    vectors: [],
    // It is then as if it had been written here.
    ...(stamps !== undefined && !stampsHoldSecret(redactor, stamps) && { stamps }),
  };
}

function redactReason<V extends { reason: string | null }>(redactor: Redactor, version: V): V {
  return version.reason === null ? version : { ...version, reason: redactor.value('reason', version.reason).value };
}

function explain(conflict: CommitConflict): string {
  if (conflict.reason === 'key_taken') return `its key belongs to ${conflict.id}.`;
  if (conflict.reason === 'purged') return 'it was purged here, and does not come back.';
  return 'a different record with this id already exists.';
}

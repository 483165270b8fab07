import { type Caller, OWNER_USER } from '../../model/caller.ts';
import { canonicalJson } from '../../model/canonical-json.ts';
import { EngineError } from '../../model/errors.ts';
import type { Instant, RecordId, SpaceId } from '../../model/ids.ts';
import type { RecordContent, StoredRecord } from '../../model/record.ts';
import { authorize } from '../authorize.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { DamageReport } from '../ports.ts';
import { findFaults, type Kind } from '../records/kind.ts';
import { passagesOf } from '../records/make-searchable.ts';
import { contentOf, updateChange } from '../records/record-changes.ts';

export interface ExamineOptions {
  repair?: boolean;
  /** Where the copy made before a repair goes; null: none is made. */
  backupPath?: string | null;
  onProgress?: (step: string, done: number, total: number) => void;
}

export interface ExamineReport {
  sound: boolean;
  checks: { name: string; ok: boolean; detail: string }[];
  repaired: string[];
  backup: string | null;
  checkedAt: Instant;
}

const FEED_PAGE = 1000;
const MAX_NAMED = 20;
const NO_FAULT = 'The database finds no fault in itself.';

type Check = ExamineReport['checks'][number];

interface Findings {
  checks: Check[];
  damage: DamageReport;
  /** Spaces whose index is not what the records say. */
  unfaithful: SpaceId[];
}

/** Looks for damage and, if asked to, repairs what can be repaired without loss, after a backup unless told otherwise. The report describes the state at the end. */
export async function examine(parts: EngineParts, caller: Caller, options: ExamineOptions): Promise<ExamineReport> {
  authorize(caller, 'admin', caller.space);
  const spaces = caller.userId === OWNER_USER ? await parts.store.listSpaces() : caller.spaces;
  let findings = await lookAt(parts, spaces, options);
  let backup: string | null = null;
  const repaired: string[] = [];
  if (options.repair === true && !isSound(findings)) {
    if (options.backupPath !== null) backup = await makeBackup(parts, caller, options);
    const own = findings.damage.damaged.filter(({ space }) => spaces.includes(space));
    repaired.push(...(await repairDamage(parts, own)));
    for (const space of findings.unfaithful) {
      await parts.indexes.rebuild(space);
      repaired.push(`The index of the space ${space} was rebuilt.`);
    }
    findings = await lookAt(parts, spaces, options);
  }
  return { sound: isSound(findings), checks: findings.checks, repaired, backup, checkedAt: parts.clock.now() };
}

/** A damaged database is asked for nothing more. */
async function checkDatabase({ store }: EngineParts, space: SpaceId, { database }: DamageReport): Promise<Check> {
  if (database.length > 0) return check('database', false, database.join(' '));
  const { replica } = await store.inspect(space);
  return check('database', true, `${NO_FAULT} Its id is ${replica}.`);
}

async function lookAt(
  parts: EngineParts,
  spaces: readonly SpaceId[],
  { onProgress }: ExamineOptions,
): Promise<Findings> {
  const damage = await parts.store.verify((done, total) => onProgress?.('records', done, total));
  const own = damage.damaged.filter(({ space }) => spaces.includes(space)).map(({ id }) => id);
  const checks: Check[] = [
    await checkDatabase(parts, spaces[0]!, damage),
    check('records', damage.damaged.length === 0, describeDamage(damage, own)),
  ];
  const unfaithful: SpaceId[] = [];
  for (const [i, space] of spaces.entries()) {
    onProgress?.('spaces', i, spaces.length);
    const index = await checkIndex(parts, space);
    if (!index.ok) unfaithful.push(space);
    checks.push(index, await checkFeed(parts, space), await checkVectors(parts, space));
  }
  onProgress?.('spaces', spaces.length, spaces.length);
  return { checks, damage, unfaithful };
}

async function checkIndex({ indexes }: EngineParts, space: SpaceId): Promise<Check> {
  const { indexedPassages, storedPassages, indexedRecords, storedRecords, segments, damaged } =
    await indexes.compare(space);
  const ok = damaged.length === 0 && indexedPassages === storedPassages && indexedRecords === storedRecords;
  const more = damaged.length === 0 ? '' : `; ${damaged.length} segments are damaged`;
  const counts = `${indexedPassages} of ${storedPassages} passages and ${indexedRecords} of ${storedRecords} records are indexed in ${segments} segments`;
  return check(`index ${space}`, ok, `${counts}${more}.`);
}

async function checkFeed({ store }: EngineParts, space: SpaceId): Promise<Check> {
  const head = await store.head(space);
  let last = 0;
  while (last < head) {
    const entries = await store.changesAfter(space, last, FEED_PAGE);
    if (entries.length === 0) break;
    for (const { seq } of entries) {
      if (last !== 0 && seq !== last + 1)
        return check(`feed ${space}`, false, `Changes between ${last} and ${seq} are missing.`);
      last = seq;
    }
  }
  if (last < head) return check(`feed ${space}`, false, `The feed ends at ${last}, but its head is ${head}.`);
  return check(`feed ${space}`, true, `${head} changes without a gap.`);
}

/** Vectors still to come are no damage: background work adds them. */
async function checkVectors({ store, embedder }: EngineParts, space: SpaceId): Promise<Check> {
  if (embedder === null) return check(`vectors ${space}`, true, 'There is no embedder: text search only.');
  const pending = (await store.listUnembedded(space, embedder.id, FEED_PAGE)).length;
  const atLeast = pending === FEED_PAGE ? 'At least ' : '';
  const waiting =
    pending === 0 ? 'Every passage has its vector.' : `${atLeast}${pending} records are waiting to be embedded.`;
  return check(`vectors ${space}`, true, waiting);
}

async function makeBackup(
  { store, clock }: EngineParts,
  caller: Caller,
  { backupPath }: ExamineOptions,
): Promise<string> {
  const { location } = await store.inspect(caller.space);
  const stamp = new Date(clock.now()).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const path =
    backupPath ?? (location === '' || location.startsWith(':') ? null : `${location}.before-repair-${stamp}`);
  if (path === null)
    throw new EngineError('invalid_input', 'A repair needs a path for its backup.', {
      hint: 'Give backupPath, or null to continue without a backup.',
      details: { field: 'backupPath' },
    });
  await store.backup(path);
  return path;
}

function describeDamage({ checkedRecords, damaged }: DamageReport, own: readonly string[]): string {
  if (damaged.length === 0) return `${checkedRecords} records match their checksums.`;
  const more = damaged.length > MAX_NAMED ? ' …' : '';
  return `${damaged.length} of ${checkedRecords} records, or earlier versions of them, do not match their checksums: ${own.slice(0, MAX_NAMED).join(', ')}${more}`;
}

function isSound({ checks }: Findings): boolean {
  return checks.every(({ ok }) => ok);
}

function check(name: string, ok: boolean, detail: string): Check {
  return { name, ok, detail };
}

/**
 * What can be repaired without guessing: whatever follows from a record whose source is intact (its passages, and what its kind derives) is
 * made anew, and a record that is not intact goes back to its newest intact version. Everything else is left as it is and stays in the report.
 */
async function repairDamage(
  parts: EngineParts,
  damaged: readonly { space: SpaceId; id: RecordId }[],
): Promise<string[]> {
  const repaired: string[] = [];
  for (const { space, id } of damaged) {
    const [record] = await parts.store.getRecords(space, [id]);
    const kind = record === undefined ? undefined : parts.kinds.find(record.kind);
    if (record === undefined || kind === undefined || record.deletedAt !== null) continue;
    const isIntact = (await findFaults(kind, record)).length === 0;
    const done = isIntact ? await deriveAgain(parts, kind, record) : await goBack(parts, kind, record);
    if (done !== null) repaired.push(done);
  }
  return repaired;
}

async function deriveAgain(parts: EngineParts, kind: Kind, record: StoredRecord): Promise<string | null> {
  const content = kind.derive(contentOf(record));
  const there = (await parts.store.readPassages(record.space, [record.id])).get(record.id) ?? [];
  const isSame =
    canonicalJson(content) === canonicalJson(contentOf(record)) &&
    JSON.stringify(there) === JSON.stringify(passagesOf(kind, content));
  if (isSame || !(await rewrite(parts, kind, { record, content }))) return null;
  return `What is derived from ${record.id}, such as its passages, was made anew.`;
}

async function goBack(parts: EngineParts, kind: Kind, record: StoredRecord): Promise<string | null> {
  const { key, project, supersededBy } = record;
  for (const { record: version } of await parts.store.listVersions(record.space, record.id)) {
    if ((await findFaults(kind, version)).length > 0) continue;
    const content = kind.derive({ ...contentOf(version), key, project, supersededBy });
    return (await rewrite(parts, kind, { record, content }))
      ? `${record.id} has its text of revision ${version.revision} again.`
      : null;
  }
  return null;
}

async function rewrite(
  parts: EngineParts,
  kind: Kind,
  { record, content }: { record: StoredRecord; content: RecordContent },
): Promise<boolean> {
  const change = updateChange(record, content, {
    passages: passagesOf(kind, content),
    vectors: [],
    unlessDuplicate: false,
    reason: 'repair',
  });
  return (await parts.store.commit(record.space, [change], 'job:repair')).outcome === 'committed';
}

import { authorize } from '../../engine/authorize.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import { findMissingPieces } from '../../engine/maintenance/sweep-chunks.ts';
import type { Clock, Condition, Embedder, Feed, Housekeeping, Passages } from '../../engine/ports.ts';
import { type Caller, OWNER_SPACE, OWNER_USER } from '../../model/caller.ts';
import {
  collectDamage,
  type DamagedRecord,
  type DamageReport,
  type ExpectedRows,
  type RowCounts,
} from '../../model/damage.ts';
import { EngineError } from '../../model/errors.ts';
import type { Instant, SpaceId } from '../../model/ids.ts';
import type { MendSource } from '../../model/mend-source.ts';
import type { SpaceIndexes } from '../../search/space-indexes.ts';
import { type Mended, mendLost, mendRecords } from './mend-records.ts';

export interface ExamineOptions {
  repair?: boolean;
  /** Where the copy made before a repair goes; null: none is made. */
  backupPath?: string | null;
  /** For a repair: where records can be taken from that cannot be made out of what is left. */
  source?: MendSource | null;
  onProgress?: (step: string, done: number, total: number) => void;
}

export interface ExamineReport {
  sound: boolean;
  checks: { name: string; ok: boolean; detail: string }[];
  repaired: string[];
  /** What a repair could not bring in order, and the way out. */
  left: string[];
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

/** Looks for damage and, if asked to, repairs what can be repaired without guessing, after a backup unless told otherwise. The report describes the state at the end. */
export async function examine(parts: EngineParts, caller: Caller, options: ExamineOptions): Promise<ExamineReport> {
  authorize(caller, 'admin', caller.space);
  const spaces = caller.userId === OWNER_USER ? await parts.store.listSpaces() : caller.spaces;
  const findings = await lookAt(parts, spaces, options);
  const checkedAt = parts.clock.now();
  const untouched = { repaired: [], left: [], backup: null, checkedAt };
  if (options.repair !== true || isSound(findings))
    return { sound: isSound(findings), checks: findings.checks, ...untouched };
  const backup = options.backupPath === null ? null : await makeBackup(parts, caller, options);
  const { repaired, left } = await repair(parts, spaces, { findings, source: options.source ?? null });
  const after = await lookAt(parts, spaces, options);
  return { sound: isSound(after), checks: after.checks, repaired, left, backup, checkedAt: parts.clock.now() };
}

async function repair(
  parts: EngineParts,
  spaces: readonly SpaceId[],
  { findings, source }: { findings: Findings; source: MendSource | null },
): Promise<Mended> {
  const { store, indexes } = parts;
  const expected = await Promise.all(spaces.map(async (space) => ({ space, rows: await expectedRows(parts, space) })));
  const repaired = await store.mendDerived(spaces);
  // What the database's own indexes hid is seen by now.
  const { damaged } = await store.verify();
  const own = damaged.filter(({ space }) => spaces.includes(space));
  const mended = await mendRecords(parts, own, source);
  const left = [...mended.left];
  for (const space of spaces) mended.repaired.push(...(await mendLost(parts, space, source)));
  for (const { space, rows } of expected) {
    const there = await store.recount(space);
    for (const [name, count] of Object.entries(rows ?? there))
      if (name in there && count !== there[name as keyof RowCounts])
        left.push(`Space ${space} has ${there[name as keyof RowCounts]} ${name}; it had ${count}. ${ACCEPTED}`);
  }
  for (const space of findings.unfaithful) {
    // It may have lacked nothing but what was damaged.
    if ((await checkIndex(parts, space)).ok) continue;
    await indexes.rebuild(space);
    repaired.push(`The index of the space ${space} was rebuilt.`);
  }
  return { repaired: [...repaired, ...mended.repaired], left };
}

const ACCEPTED = 'What is there counts from now on; the backup made before this repair has the rest, if anything has.';

/** null where nobody has counted, or the count itself is damaged. */
async function expectedRows({ store }: { store: Condition }, space: SpaceId): Promise<ExpectedRows | null> {
  try {
    return await store.expectedRows(space);
  } catch (error) {
    if (error instanceof EngineError && error.code === 'storage_damaged') return null;
    throw error;
  }
}

/** A damaged database is asked for nothing more. What row-level security is worth is told, and is no damage. */
async function checkDatabase(
  { store }: { store: Condition },
  space: SpaceId,
  { database }: DamageReport,
): Promise<Check[]> {
  if (database.length > 0) return [check('database', false, database.join(' '))];
  const { replica, rowSecurity } = await store.inspect(space);
  const sound = check('database', true, `${NO_FAULT} Its id is ${replica}.`);
  return rowSecurity === null ? [sound] : [sound, check('row security', true, rowSecurity.detail)];
}

async function lookAt(
  parts: EngineParts,
  spaces: readonly SpaceId[],
  { onProgress }: ExamineOptions,
): Promise<Findings> {
  const damage = await parts.store.verify((done, total) => onProgress?.('records', done, total));
  const own = damage.damaged.filter(({ space }) => spaces.includes(space));
  const checks: Check[] = [
    ...(await checkDatabase(parts, spaces[0] ?? OWNER_SPACE, damage)),
    check('records', damage.damaged.length === 0, describeDamage(damage, own)),
  ];
  const unfaithful: SpaceId[] = [];
  for (const [i, space] of spaces.entries()) {
    onProgress?.('spaces', i, spaces.length);
    const index = await checkIndex(parts, space);
    if (!index.ok) unfaithful.push(space);
    checks.push(index, await checkFeed(parts, space), await checkVectors(parts, space));
    checks.push(...(await checkPieces(parts, space)));
  }
  onProgress?.('spaces', spaces.length, spaces.length);
  return { checks, damage, unfaithful };
}

async function checkIndex({ indexes }: { indexes: SpaceIndexes }, space: SpaceId): Promise<Check> {
  const { indexedPassages, storedPassages, indexedRecords, storedRecords, segments, damaged, damagedRecords } =
    await indexes.compare(space);
  const ok =
    damaged.length === 0 &&
    indexedRecords + damagedRecords === storedRecords &&
    (damagedRecords > 0 || indexedPassages === storedPassages);
  const more = [
    damaged.length === 0 ? '' : `; ${damaged.length} segments are damaged`,
    damagedRecords === 0 ? '' : `; ${damagedRecords} records are damaged, and so not indexed`,
  ].join('');
  const counts = `${indexedPassages} of ${storedPassages} passages and ${indexedRecords} of ${storedRecords} records are indexed in ${segments} segments`;
  return check(`index ${space}`, ok, `${counts}${more}.`);
}

async function checkFeed({ store }: { store: Feed }, space: SpaceId): Promise<Check> {
  const head = await store.head(space);
  let last = 0;
  while (last < head) {
    const { note, ids } = collectDamage();
    const entries = await store.changesAfter(space, last, FEED_PAGE, note);
    if (ids().length > 0)
      return check(`feed ${space}`, false, `Damaged changes: ${ids().slice(0, MAX_NAMED).join(', ')}.`);
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
async function checkVectors(
  { store, embedder }: { store: Passages; embedder: Embedder | null },
  space: SpaceId,
): Promise<Check> {
  if (embedder === null) return check(`vectors ${space}`, true, 'There is no embedder: text search only.');
  const pending = (await store.listUnembedded(space, embedder.id, FEED_PAGE)).length;
  const atLeast = pending === FEED_PAGE ? 'At least ' : '';
  const waiting =
    pending === 0 ? 'Every passage has its vector.' : `${atLeast}${pending} records are waiting to be embedded.`;
  return check(`vectors ${space}`, true, waiting);
}

/** That those which are there are sound, the look at the database has told. */
async function checkPieces(parts: EngineParts, space: SpaceId): Promise<Check[]> {
  const { held, gone } = await findMissingPieces(parts, space);
  if (held === 0) return [];
  const named = gone.slice(0, MAX_NAMED).map(({ record, names }) => `${record.id} (${names.length})`);
  const detail =
    gone.length === 0
      ? `All ${held} pieces that transcripts hold are there.`
      : `Pieces of ${gone.length} transcripts are missing: ${named.join(', ')}. Uploading the sessions again, or importing an export that has them, brings them back.`;
  return [check(`pieces ${space}`, gone.length === 0, detail)];
}

async function makeBackup(
  { store, clock }: { store: Condition & Housekeeping; clock: Clock },
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

function describeDamage({ checkedRecords, damaged }: DamageReport, own: readonly DamagedRecord[]): string {
  if (damaged.length === 0) return `${checkedRecords} records match their checksums.`;
  const more = own.length > MAX_NAMED ? ' …' : '';
  const named = own.slice(0, MAX_NAMED).map(({ id, parts }) => `${id} (${parts.join(', ')})`);
  return `${damaged.length} of ${checkedRecords} records do not match their checksums: ${named.join(', ')}${more}`;
}

function isSound({ checks }: Findings): boolean {
  return checks.every(({ ok }) => ok);
}

function check(name: string, ok: boolean, detail: string): Check {
  return { name, ok, detail };
}

import { type Caller, OWNER_USER } from '../../model/caller.ts';
import type { Change, ImportedState } from '../../model/change.ts';
import { collectDamage, type NoteDamage } from '../../model/damage.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import type { RecordKind, RecordVersion, StoredRecord } from '../../model/record.ts';
import { joinRedactions, type Redaction } from '../../model/redaction.ts';
import type { Relation } from '../../model/relation.ts';
import { redactLines } from '../../privacy/redact-lines.ts';
import { authorize } from '../authorize.ts';
import type { EngineParts } from '../engine-parts.ts';
import { createPieceCleaner, type PieceCleaner, type ScrubbedPieces } from '../pieces/clean-pieces.ts';
import { isDamagedPiece } from '../pieces/pack-chunk.ts';
import { retryConflicts } from '../records/change-record.ts';
import { passagesOf } from '../records/kind.ts';
import { makeSearchable, type Searchable } from '../records/make-searchable.ts';
import { actorOf } from '../records/origin.ts';
import { createRedactor, type Redactor } from '../records/redact-content.ts';
import { scrubLoose } from './scrub-loose.ts';

export interface ScrubOptions {
  /** Replace what was found; otherwise it is only told. */
  apply?: boolean;
  /** Also what a person wanted to be stored with its secrets. */
  all?: boolean;
  onProgress?: (step: string, done: number, total: number) => void;
}

export interface ScrubbedRecord {
  space: SpaceId;
  id: RecordId;
  kind: RecordKind;
  /** In the record as it is now; of its earlier versions `versions` says how many hold secrets. */
  redactions: Redaction[];
  versions: number;
}

export interface ScrubReport {
  checked: number;
  /** The first thousand; `count` says how many there are. */
  found: ScrubbedRecord[];
  count: number;
  /** How many of them have lost their secrets. */
  replaced: number;
  /** Left as they are because a person wanted it so. */
  kept: number;
  /** What may still hold the old text, and what to do about it. */
  remains: string[];
}

const PAGE = 200;
const PARTS_AT_ONCE = 20;
const MAX_TOLD = 1000;

/** Looks for secrets in everything that is stored, earlier versions and deleted records included, and takes them out where asked to. */
export async function scrubRecords(parts: EngineParts, caller: Caller, options: ScrubOptions): Promise<ScrubReport> {
  authorize(caller, 'admin', caller.space);
  const spaces = caller.userId === OWNER_USER ? await parts.store.listSpaces() : [caller.space];
  const report: ScrubReport = { checked: 0, found: [], count: 0, replaced: 0, kept: 0, remains: [] };
  const redactor = await createRedactor(parts.kinds, 'scrub');
  const damage = collectDamage();
  for (const space of spaces) await scrubSpace({ parts, caller, options, report, redactor, damage }, space);
  if (report.replaced > 0) report.remains.push(...(await parts.store.eraseTraces({ rewrites: true })));
  if (damage.noted.length > 0)
    report.remains.push(
      `Not looked at, because they are damaged: ${damage.ids().join(', ')}. Mend them first with \`ltm doctor --repair\`.`,
    );
  return report;
}

interface Work {
  parts: EngineParts;
  caller: Caller;
  options: ScrubOptions;
  report: ScrubReport;
  redactor: Redactor;
  /** What is damaged is neither looked at nor written anew: it would lose what cannot be read of it. */
  damage: ReturnType<typeof collectDamage>;
}

interface SpaceWork extends Work {
  cleaner: PieceCleaner;
}

async function scrubSpace(given: Work, space: SpaceId): Promise<void> {
  const { parts, options } = given;
  const { store, indexes } = parts;
  const work = { ...given, cleaner: createPieceCleaner(parts, space, redactLines) };
  const { records, deleted } = await store.inspect(space);
  const scrubbed: RecordId[] = [];
  const holders: RecordId[] = [];
  let done = 0;
  for (let after: RecordId | null = null; ; ) {
    const ids: RecordId[] = await store.listIds(space, { after, limit: PAGE, of: 'all' });
    if (ids.length === 0) break;
    for (const record of await store.getRecords(space, ids, work.damage.note)) {
      given.report.checked++;
      if (parts.kinds.find(record.kind)?.scrubPieces === undefined) scrubbed.push(...(await scrubRecord(work, record)));
      else holders.push(record.id);
    }
    done += ids.length;
    options.onProgress?.('records', done, records + deleted);
    after = ids.at(-1)!;
  }
  // After all others: what follows from their pieces are records of their own, and have been told of by now.
  for (const [i, id] of holders.entries()) {
    options.onProgress?.('transcripts', i, holders.length);
    for (const record of await store.getRecords(space, [id], work.damage.note))
      scrubbed.push(...(await scrubRecord(work, record)));
  }
  const scrubLate = async (record: StoredRecord) => void scrubbed.push(...(await scrubRecord(work, record)));
  await scrubLoose(work, space, scrubLate);
  if (scrubbed.length > 0) await indexes.forget(space, scrubbed);
}

/** The records that were written anew. */
async function scrubRecord(work: SpaceWork, record: StoredRecord): Promise<RecordId[]> {
  const { parts, options, report } = work;
  // A kind that only a newer version knows cannot be made anew.
  if (parts.kinds.find(record.kind) === undefined) return [];
  const found = await clean(work, record, false);
  if (found === null) return [];
  if (record.source.unredacted === true && options.all !== true) {
    report.kept++;
    return [];
  }
  report.count++;
  if (report.found.length < MAX_TOLD) report.found.push(found.told);
  if (options.apply !== true) return [];
  const rewritten = await retryConflicts(async () => {
    const [current] = await parts.store.getRecords(record.space, [record.id], work.damage.note);
    const cleaned = current === undefined ? null : await clean(work, current, true);
    if (current === undefined || cleaned === null) return [];
    return replace(work, current, cleaned);
  });
  if (rewritten.length > 0) report.replaced++;
  return rewritten;
}

/** One record that holds pieces, without secrets from now on, whoever wanted it; null: it has none. */
export async function scrubHolder(
  parts: EngineParts,
  caller: Caller,
  record: StoredRecord,
): Promise<Redaction[] | null> {
  const report: ScrubReport = { checked: 0, found: [], count: 0, replaced: 0, kept: 0, remains: [] };
  const work: SpaceWork = {
    parts,
    caller,
    options: { apply: true, all: true },
    report,
    damage: collectDamage(),
    redactor: await createRedactor(parts.kinds, 'scrub'),
    cleaner: createPieceCleaner(parts, record.space, redactLines),
  };
  const rewritten = await scrubRecord(work, record);
  if (rewritten.length > 0) await parts.indexes.forget(record.space, rewritten);
  return report.found[0]?.redactions ?? null;
}

interface Cleaned {
  told: ScrubbedRecord;
  record: StoredRecord;
  versions: RecordVersion[];
  relations: Relation[];
  /** What becomes of its parts because its pieces have changed. */
  parts: ScrubbedPieces['parts'];
}

/** The record with all that hangs on it, without secrets; null where there are none. */
async function clean(work: SpaceWork, record: StoredRecord, isApplied: boolean): Promise<Cleaned | null> {
  const { store } = work.parts;
  const { redactor, damage } = work;
  const { space, id, kind } = record;
  const own = collectDamage();
  const pieces = await cleanPieces(work, record, { isApplied, note: own.note });
  await redactor.readAhead(record.content);
  const current = redactor.content(pieces?.body ? withBody(work, record, pieces.body) : record);
  let versions = 0;
  const said = await store.listVersions(space, id, own.note);
  for (const version of said) await redactor.readAhead(version.record.content);
  const earlier = said.map((version) => {
    const { content, redactions } = redactor.content(version.record);
    const because = version.reason === null ? null : redactor.value('reason', version.reason);
    if (hasSecrets([...redactions, ...(because?.redactions ?? [])])) versions++;
    return { ...version, record: content, reason: because?.value ?? null };
  });
  const told = [...(pieces?.redactions ?? []), ...current.redactions.filter(({ replaced }) => replaced)];
  const relations = (await store.listRelations(space, [id], own.note)).map((relation) => {
    const { value, redactions } = redactor.value('relation', relation.body as JsonObject);
    told.push(...redactions.filter(({ replaced }) => replaced));
    return { ...relation, body: value };
  });
  if (own.noted.length > 0) damage.note({ what: 'record', id });
  if (own.noted.length > 0 || (told.length === 0 && versions === 0 && pieces === null)) return null;
  return {
    told: { space, id, kind, redactions: joinRedactions(told), versions },
    record: current.content,
    versions: earlier,
    relations,
    parts: pieces?.parts ?? new Map(),
  };
}

function withBody({ parts: { kinds } }: SpaceWork, record: StoredRecord, body: JsonObject): StoredRecord {
  return { ...record, ...kinds.need(record.kind).derive({ ...record, body }) };
}

/** Null: they have no secrets, or cannot be read. */
async function cleanPieces(
  { parts, cleaner }: SpaceWork,
  record: StoredRecord,
  { isApplied, note }: { isApplied: boolean; note: NoteDamage },
): Promise<ScrubbedPieces | null> {
  try {
    const { readSaid } = parts;
    return (await parts.kinds.need(record.kind).scrubPieces?.(record, { cleaner, readSaid, isApplied })) ?? null;
  } catch (error) {
    if (!isDamagedPiece(error)) throw error;
    note({ what: 'record', id: record.id });
    return null;
  }
}

function hasSecrets(redactions: readonly Redaction[]): boolean {
  return redactions.some(({ replaced }) => replaced);
}

/** The records that were written anew; null when somebody else was faster. */
async function replace(work: SpaceWork, before: StoredRecord, cleaned: Cleaned): Promise<RecordId[] | null> {
  const { parts, caller } = work;
  const { space, id } = before;
  const followed = await replaceParts(work, space, cleaned.parts);
  if (followed === null) return null;
  const { passages, vectors } = await makeSearchable(parts, cleaned.record);
  const changes: Change[] = [
    ...writeAnew(before, { ...cleaned, passages, vectors }),
    ...cleaned.relations.map((relation): Change => ({ op: 'relate', relation })),
  ];
  const committed = await parts.store.commit(space, changes, actorOf(caller));
  return committed.outcome === 'committed' ? [id, ...followed] : null;
}

/**
 * Purged and written anew in one commit: so the old text leaves the rows, the receipts, the segments and the log in the way that a purge does it, and a
 * replica that has the old generation lets it go.
 */
function writeAnew(
  { id, revision, generation: old }: StoredRecord,
  { record, versions, passages, vectors }: Pick<Cleaned, 'record' | 'versions'> & Searchable,
): Change[] {
  const generation = old + 1;
  const anew = (state: StoredRecord): ImportedState => ({ ...state, generation, dot: null });
  return [
    { op: 'purge', id, revision },
    {
      op: 'import',
      record: { ...anew(record), revision: revision + 1 },
      versions: versions.map((version) => ({ ...version, record: anew(version.record) })),
      passages,
      vectors,
    },
  ];
}

/** Parts that say what stands in pieces which are others now. Vectors come later, in the background. */
async function replaceParts(
  { parts, caller, redactor, damage }: SpaceWork,
  space: SpaceId,
  changed: Cleaned['parts'],
): Promise<RecordId[] | null> {
  const { store, kinds } = parts;
  const ids = [...changed.keys()];
  for (let at = 0; at < ids.length; at += PARTS_AT_ONCE) {
    const known = await store.getRecords(space, ids.slice(at, at + PARTS_AT_ONCE), damage.note);
    const changes = known.flatMap((before) => {
      const kind = kinds.need(before.kind);
      const made = { ...before, ...kind.derive(changed.get(before.id)!(before)) };
      const record = redactor.content(made).content;
      return writeAnew(before, { record, versions: [], passages: passagesOf(kind, record), vectors: [] });
    });
    if (changes.length === 0) continue;
    const { outcome } = await store.commit(space, changes, actorOf(caller));
    if (outcome !== 'committed') return null;
  }
  return ids;
}

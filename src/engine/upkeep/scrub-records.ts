import { type Caller, OWNER_USER } from '../../model/caller.ts';
import type { Change, ImportedState } from '../../model/change.ts';
import { collectDamage } from '../../model/damage.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import type { RecordKind, RecordVersion, StoredRecord } from '../../model/record.ts';
import { joinRedactions, type Redaction } from '../../model/redaction.ts';
import type { Relation } from '../../model/relation.ts';
import { authorize } from '../authorize.ts';
import type { EngineParts } from '../engine-parts.ts';
import { retryConflicts } from '../records/change-record.ts';
import { makeSearchable } from '../records/make-searchable.ts';
import { actorOf } from '../records/origin.ts';
import { createRedactor, type Redactor } from '../records/redact-content.ts';

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
const MAX_TOLD = 1000;

/** Looks for secrets in everything that is stored, earlier versions and deleted records included, and takes them out where asked to. */
export async function scrubRecords(parts: EngineParts, caller: Caller, options: ScrubOptions): Promise<ScrubReport> {
  authorize(caller, 'admin', caller.space);
  const spaces = caller.userId === OWNER_USER ? await parts.store.listSpaces() : [caller.space];
  const report: ScrubReport = { checked: 0, found: [], count: 0, replaced: 0, kept: 0, remains: [] };
  const redactor = await createRedactor(parts.kinds, 'scrub');
  const damage = collectDamage();
  for (const space of spaces) await scrubSpace({ parts, caller, options, report, redactor, damage }, space);
  if (report.replaced > 0) report.remains.push(...(await parts.store.eraseTraces()));
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

async function scrubSpace(work: Work, space: SpaceId): Promise<void> {
  const { parts, options, report } = work;
  const { store, indexes } = parts;
  const { records, deleted } = await store.inspect(space);
  const scrubbed: RecordId[] = [];
  let done = 0;
  for (let after: RecordId | null = null; ; ) {
    const ids: RecordId[] = await store.listIds(space, { after, limit: PAGE, of: 'all' });
    if (ids.length === 0) break;
    for (const record of await store.getRecords(space, ids, work.damage.note)) {
      report.checked++;
      if (await scrubRecord(work, record)) scrubbed.push(record.id);
    }
    done += ids.length;
    options.onProgress?.('records', done, records + deleted);
    after = ids.at(-1)!;
  }
  if (scrubbed.length > 0) await indexes.forget(space, scrubbed);
}

async function scrubRecord(work: Work, record: StoredRecord): Promise<boolean> {
  const { parts, options, report } = work;
  // A kind that only a newer version knows cannot be made anew.
  if (parts.kinds.find(record.kind) === undefined) return false;
  const found = await clean(work, record);
  if (found === null) return false;
  if (record.source.unredacted === true && options.all !== true) {
    report.kept++;
    return false;
  }
  report.count++;
  if (report.found.length < MAX_TOLD) report.found.push(found.told);
  if (options.apply !== true) return false;
  const isDone = await retryConflicts(async () => {
    const [current] = await parts.store.getRecords(record.space, [record.id], work.damage.note);
    const cleaned = current === undefined ? null : await clean(work, current);
    if (current === undefined || cleaned === null) return 'gone';
    return (await replace(work, current, cleaned)) ? 'done' : null;
  });
  if (isDone === 'done') report.replaced++;
  return isDone === 'done';
}

interface Cleaned {
  told: ScrubbedRecord;
  record: StoredRecord;
  versions: RecordVersion[];
  relations: Relation[];
}

/** The record with all that hangs on it, without secrets; null where there are none. */
async function clean({ parts: { store }, redactor, damage }: Work, record: StoredRecord): Promise<Cleaned | null> {
  const { space, id, kind } = record;
  const own = collectDamage();
  const current = redactor.content(record);
  let versions = 0;
  const earlier = (await store.listVersions(space, id, own.note)).map((version) => {
    const { content, redactions } = redactor.content(version.record);
    const because = version.reason === null ? null : redactor.value('reason', version.reason);
    if (hasSecrets([...redactions, ...(because?.redactions ?? [])])) versions++;
    return { ...version, record: content, reason: because?.value ?? null };
  });
  const told = current.redactions.filter(({ replaced }) => replaced);
  const relations = (await store.listRelations(space, [id], own.note)).map((relation) => {
    const { value, redactions } = redactor.value('relation', relation.body as JsonObject);
    told.push(...redactions.filter(({ replaced }) => replaced));
    return { ...relation, body: value };
  });
  if (own.noted.length > 0) damage.note({ what: 'record', id });
  if (own.noted.length > 0 || (told.length === 0 && versions === 0)) return null;
  return {
    told: { space, id, kind, redactions: joinRedactions(told), versions },
    record: current.content,
    versions: earlier,
    relations,
  };
}

function hasSecrets(redactions: readonly Redaction[]): boolean {
  return redactions.some(({ replaced }) => replaced);
}

/**
 * Purged and written anew in one commit: so the old text leaves the rows, the receipts, the segments and the log in the way that a purge does it, and a
 * replica that has the old generation lets it go. False when somebody else was faster.
 */
async function replace({ parts, caller }: Work, before: StoredRecord, cleaned: Cleaned): Promise<boolean> {
  const { space, id } = before;
  const generation = before.generation + 1;
  const anew = (state: StoredRecord): ImportedState => ({ ...state, generation, dot: null });
  const { passages, vectors } = await makeSearchable(parts, cleaned.record);
  const changes: Change[] = [
    { op: 'purge', id, revision: before.revision },
    {
      op: 'import',
      record: { ...anew(cleaned.record), revision: before.revision + 1 },
      versions: cleaned.versions.map((version) => ({ ...version, record: anew(version.record) })),
      passages,
      vectors,
    },
    ...cleaned.relations.map((relation): Change => ({ op: 'relate', relation })),
  ];
  const committed = await parts.store.commit(space, changes, actorOf(caller));
  return committed.outcome === 'committed';
}

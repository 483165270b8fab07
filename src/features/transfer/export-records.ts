import { createHash } from 'node:crypto';
import { authorize } from '../../engine/authorize.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import { isDamagedPiece } from '../../engine/pieces/pack-chunk.ts';
import type { Clock, Pieces, Records } from '../../engine/ports.ts';
import { readPages } from '../../engine/records/find-records.ts';
import type { KindTable } from '../../engine/records/kind.ts';
import { resolveFilter } from '../../engine/records/resolve-filter.ts';
import { findHidden } from '../../engine/records/second-opinion.ts';
import { refuseSealed } from '../../engine/refuse-sealed.ts';
import type { Caller } from '../../model/caller.ts';
import type { Grave, ImportedState } from '../../model/change.ts';
import type { Chunk } from '../../model/chunk.ts';
import { collectDamage, type Damage, type ExpectedRows, type NoteDamage } from '../../model/damage.ts';
import { defined } from '../../model/defined.ts';
import type { ListFilter } from '../../model/filter.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import { COLUMN_FIELDS } from '../../model/memory-fields.ts';
import type { StoredRecord } from '../../model/record.ts';
import type { Relation } from '../../model/relation.ts';
import { VERSION } from '../../model/version.ts';
import { writeSummedLine } from './line-sum.ts';

export interface ExportOptions {
  includeDeleted?: boolean;
  includeVersions?: boolean;
  filter?: ListFilter;
}

const PAGE = 200;

/**
 * The caller's own space as lines of JSON, without line ends: a header, records (newest first, each followed by the pieces of transcripts it holds and its earlier versions),
 * relations between them, graves of what was purged, marks of what is damaged and left out, and an end line with counts and a checksum, so that
 * a file that was cut is noticed. Deleted records and versions are part of it unless the options leave them out.
 */
export async function* exportRecords(
  parts: EngineParts,
  caller: Caller,
  options: ExportOptions,
): AsyncGenerator<string> {
  authorize(caller, 'read', caller.space);
  await refuseSealed(parts, caller.space);
  parts.kinds.check(options.filter?.kinds);
  const checksum = createHash('sha256');
  const counts: ExportCounts = { records: 0, versions: 0, relations: 0, graves: 0, chunks: 0, damaged: 0 };
  const line = (value: object) => {
    const text = writeSummedLine(value);
    checksum.update(`${text}\n`);
    return text;
  };
  const damage = collectDamage();
  const { store } = parts;
  const { space } = caller;
  const before = await store.expectedRows(space);
  yield line(makeHeader(parts, caller));
  const exported = new Set<RecordId>();
  const stamped = new Set<RecordId>();
  const written = new Set<string>();
  const relations: Relation[] = [];
  const deleted = options.includeDeleted === false ? 'exclude' : 'include';
  const filter = await resolveFilter<ListFilter>(parts, caller, {
    includeSuperseded: true,
    ...options.filter,
    deleted,
  });
  for await (const { items } of readPages(store, space, { filter, limit: PAGE, note: damage.note })) {
    const stamps = await store.readStamps(
      space,
      items.map(({ id }) => id),
      damage.note,
    );
    for (const id of stamps.keys()) stamped.add(id);
    for (const record of items) {
      exported.add(record.id);
      counts.records++;
      yield line({ record: { ...exportedRecord(record), ...defined({ stamps: stamps.get(record.id) }) } });
      for await (const chunk of chunksOf(parts, record, { written, note: damage.note })) {
        counts.chunks++;
        yield line({ chunk });
      }
      if (options.includeVersions === false) continue;
      for (const { record: earlier, replacedAt, reason } of await store.listVersions(space, record.id, damage.note)) {
        counts.versions++;
        yield line({ version: { record: exportedRecord(earlier), replacedAt, reason } });
      }
    }
    const ids = new Set(items.map((record) => record.id));
    const found = await store.listRelations(space, [...ids], damage.note);
    relations.push(...found.filter((relation) => ids.has(relation.from)));
  }
  for (const relation of relations.filter(({ from, to }) => exported.has(from) && exported.has(to)).sort(byEnds)) {
    counts.relations++;
    yield line({ relation });
  }
  if (options.filter === undefined) {
    for await (const grave of gravesOf(parts, caller, damage.note)) {
      counts.graves++;
      yield line({ grave });
    }
  }
  const withStamps = await store.checkStamps(space, damage.note);
  // Those that are there and were not found where they should be.
  if ((await store.head(space)) === before?.head)
    for (const id of withStamps) if (exported.has(id) && !stamped.has(id)) damage.note({ what: 'stamps', id });
  const exporting = { space, filter, options, exported, counts, before };
  const writes = store.lostWrites?.() ?? null;
  const lost: Gap[] = writes === null ? [] : [{ what: 'change', missing: writes.count }];
  for (const damaged of [...distinct(damage.noted), ...(await findGaps(parts, exporting, damage.noted)), ...lost]) {
    counts.damaged++;
    yield line({ damaged });
  }
  yield writeSummedLine({ end: { ...counts, sha256: checksum.digest('hex') } });
}

/** The pieces of transcripts that a record holds, each once in a file. One that is damaged or gone is noted, and left out. */
async function* chunksOf(
  { store, kinds }: { store: Pieces; kinds: KindTable },
  record: StoredRecord,
  { written, note }: { written: Set<string>; note: NoteDamage },
): AsyncGenerator<object> {
  const names = (kinds.find(record.kind)?.chunksOf?.(record) ?? []).filter((name) => !written.has(name));
  for (const name of new Set(names)) {
    written.add(name);
    const chunk = await readPiece(store, record, name);
    if (chunk === null) note({ what: 'chunk', id: name });
    else yield { ...chunk, packed: Buffer.from(chunk.packed).toString('base64') };
  }
}

async function readPiece(store: Pieces, { space }: StoredRecord, name: string): Promise<Chunk | null> {
  try {
    const [chunk] = await store.chunks.read(space, [name]);
    return chunk ?? null;
  } catch (error) {
    if (isDamagedPiece(error)) return null;
    throw error;
  }
}

function distinct(noted: readonly Damage[]): Damage[] {
  return [...new Map(noted.map((damage) => [`${damage.what} ${damage.id}`, damage])).values()];
}

function makeHeader({ clock }: { clock: Clock }, { space }: Caller): object {
  const exportedAt = new Date(clock.now()).toISOString();
  return { format: EXPORT_FORMAT, version: EXPORT_VERSION, exportedAt, program: `ltm ${VERSION}`, space };
}

async function* gravesOf({ store }: { store: Records }, caller: Caller, note: NoteDamage): AsyncGenerator<Grave> {
  for (let after: RecordId | null = null; ; ) {
    let last: RecordId | null = null;
    const tell: NoteDamage = (damage) => {
      last = damage.id;
      note(damage);
    };
    const page: Grave[] = await store.listGraves(caller.space, after, PAGE, tell);
    yield* page;
    const end: RecordId | null = page.at(-1)?.id ?? last;
    if (end === null || end === after) return;
    after = end;
  }
}

function byEnds(a: Relation, b: Relation): number {
  return compare(a.from, b.from) || compare(a.to, b.to) || compare(a.type, b.type);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export const EXPORT_FORMAT = 'ltm-export';
/** 1 had neither generations, dots nor graves. */
export const EXPORT_VERSION = 2;

export interface ExportCounts {
  records: number;
  versions: number;
  relations: number;
  graves: number;
  /** Pieces of transcripts. */
  chunks: number;
  /** Marks of what was left out. */
  damaged: number;
}

/** A record outside of its store: the space is that of whoever imports it. */
export type ExportedRecord = Omit<ImportedState, 'space'>;

/** In this order, so that the same record always gives the same line. */
const EXPORTED = [
  ...new Set([
    ...(['id', 'kind', 'revision', 'key', 'type', 'title', 'content', 'contentHash'] as const),
    ...COLUMN_FIELDS,
    ...(['body', 'generation', 'dot'] as const),
  ]),
];

export function exportedRecord(record: StoredRecord | ExportedRecord): ExportedRecord {
  const fields = EXPORTED.map((name) => [name, record[name]]);
  return Object.fromEntries(fields) as Pick<ExportedRecord, keyof ExportedRecord>;
}

/** What is missing although nothing that was read is damaged: by its id, or how many where nobody can name it. */
type Gap = Damage | { what: Damage['what']; missing: number };

interface Exporting {
  space: SpaceId;
  filter: ListFilter;
  options: ExportOptions;
  exported: ReadonlySet<RecordId>;
  counts: ExportCounts;
  /** What there should have been when it began. */
  before: ExpectedRows | null;
}

/** Rows that the database no longer finds: what was written is compared with the counts that commits keep, and with the index. */
async function findGaps(
  parts: EngineParts,
  { space, filter, options, exported, counts, before }: Exporting,
  noted: readonly Damage[],
): Promise<Gap[]> {
  const named = new Set(noted.filter(({ what }) => what === 'record').map(({ id }) => id));
  const hidden = await findHidden(parts, {
    space,
    filter: { ...filter, deleted: 'exclude' },
    head: before?.head ?? null,
    isListed: (id) => exported.has(id) || named.has(id),
  });
  const gaps: Gap[] = hidden.map((id) => ({ what: 'record', id }));
  const after = options.filter === undefined ? await parts.store.expectedRows(space) : null;
  // Whoever wrote meanwhile has made the two incomparable.
  if (after === null || after.head !== before?.head) return gaps;
  const expected = options.includeDeleted === false ? after.live : after.records;
  const records = expected - exported.size - named.size - hidden.length;
  if (records > 0) gaps.push({ what: 'record', missing: records });
  const graves = after.graves - counts.graves - noted.filter(({ what }) => what === 'grave').length;
  if (graves > 0) gaps.push({ what: 'grave', missing: graves });
  return gaps;
}

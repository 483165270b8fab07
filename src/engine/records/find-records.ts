import { EngineError } from '../../model/errors.ts';
import type { ListFilter } from '../../model/filter.ts';
import { isRecordId, type SpaceId } from '../../model/ids.ts';
import type { RecordKind, StoredRecord } from '../../model/record.ts';
import type { Store } from '../ports.ts';
import { readPages } from './read-pages.ts';

const CONTENT_HASH = /^[0-9a-f]{64}$/i;
const PAGE = 100;

export interface RefOptions {
  /** Absent: any. */
  kind?: RecordKind;
  /** An id may name a record of any kind all the same, as a search finds them. */
  anyKindById?: boolean;
  /** Where the ref is a key: its project. Absent: no project first, then any. */
  project?: string;
  deleted: 'exclude' | 'only' | 'include';
}

/** Every record that an id, a content hash or a key names: current ones first, then superseded, then deleted. */
export async function findByRef(
  store: Store,
  space: SpaceId,
  ref: string,
  options: RefOptions,
): Promise<StoredRecord[]> {
  const { kind, anyKindById, deleted } = options;
  if (isRecordId(ref)) {
    const found = (await store.getRecords(space, [ref])).filter(
      (record) =>
        (kind === undefined || record.kind === kind || anyKindById === true) &&
        (deleted === 'include' || (record.deletedAt !== null) === (deleted === 'only')),
    );
    if (found.length > 0) return found;
  }
  if (CONTENT_HASH.test(ref)) {
    const found = await listAll(store, space, { ...only(kind), contentHash: ref.toLowerCase(), deleted });
    if (found.length > 0) return found.sort(byStanding);
  }
  return findByKeyRef(store, space, ref, options);
}

/** The current record of this kind and project that has the key, or the very text. */
export async function findCurrent(
  store: Store,
  space: SpaceId,
  {
    kind,
    project,
    ...named
  }: { kind: RecordKind; project: string | null } & ({ key: string } | { contentHash: string }),
): Promise<StoredRecord | null> {
  const found = await listAll(store, space, { ...only(kind), ...named, deleted: 'exclude' });
  return found.find((record) => record.project === project && record.supersededBy === null) ?? null;
}

async function findByKeyRef(
  store: Store,
  space: SpaceId,
  key: string,
  { kind, project, deleted }: RefOptions,
): Promise<StoredRecord[]> {
  const found = (await listAll(store, space, { ...only(kind), key, deleted })).sort(byStanding);
  if (project !== undefined) return found.filter((record) => record.project === project).slice(0, 1);
  const [first] = found;
  const own = found.find((record) => record.project === null);
  if (own !== undefined || first === undefined) return own === undefined ? [] : [own];
  if (found.every((record) => record.project === first.project)) return [first];
  throw new EngineError('conflict', 'This key is in use in several projects.', {
    hint: 'Name the project too, or use the id.',
    details: { key },
  });
}

async function listAll(store: Store, space: SpaceId, filter: ListFilter): Promise<StoredRecord[]> {
  const all: StoredRecord[] = [];
  for await (const { items } of readPages(store, space, {
    filter: { ...filter, includeSuperseded: true },
    limit: PAGE,
  }))
    all.push(...items);
  return all;
}

function only(kind: RecordKind | undefined): Pick<ListFilter, 'kinds'> {
  return { kinds: kind === undefined ? undefined : [kind] };
}

function byStanding(a: StoredRecord, b: StoredRecord): number {
  return standing(a) - standing(b) || (b.deletedAt ?? 0) - (a.deletedAt ?? 0);
}

function standing(record: StoredRecord): number {
  return record.deletedAt !== null ? 2 : record.supersededBy !== null ? 1 : 0;
}

import { authorize } from '../../engine/authorize.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import type { PageRequest, Records } from '../../engine/ports.ts';
import { commitInBatches } from '../../engine/records/change-record.ts';
import type { FilterInput } from '../../engine/records/deletion.ts';
import { locate, locateAll, readPages } from '../../engine/records/find-records.ts';
import { listRecords } from '../../engine/records/list-records.ts';
import { actorOf } from '../../engine/records/origin.ts';
import { findRejectedChanges } from '../../engine/rejections/guard-commits.ts';
import type { Caller } from '../../model/caller.ts';
import { passOver } from '../../model/damage.ts';
import type { ListFilter } from '../../model/filter.ts';
import type { Page } from '../../model/page.ts';
import type { StoredRecord } from '../../model/record.ts';
import {
  type DocumentSummary,
  listParts,
  readDocumentBody,
  readPlace,
  type StoredSection,
  toDocument,
  toSection,
} from './document.ts';
import { documentKind, sectionKind } from './document-kind.ts';
import { removeSections } from './write-sections.ts';

export interface ListDocumentsInput extends FilterInput {
  page?: Partial<PageRequest>;
}

/** Newest first. */
export async function listDocuments(
  parts: EngineParts,
  caller: Caller,
  input: ListDocumentsInput,
): Promise<Page<DocumentSummary>> {
  const { items, ...page } = await listRecords(parts, caller, { ...input, kind: documentKind.name });
  return { ...page, items: items.map(toDocument) };
}

export interface GetDocumentInput {
  /** Its id, or where it came from. */
  ref: string;
  project?: string;
  /** Of its sections. */
  offset?: number;
  limit?: number;
}

export interface FoundDocument {
  document: DocumentSummary;
  sections: StoredSection[];
}

const MAX_SECTIONS = 1000;

/** With its sections in their order; without `limit` none. */
export async function getDocument(
  parts: EngineParts,
  caller: Caller,
  { ref, project, offset = 0, limit = 0 }: GetDocumentInput,
): Promise<FoundDocument> {
  const record = await locate(parts, caller, {
    kind: documentKind.name,
    ref,
    project,
    action: 'read',
    deleted: 'exclude',
  });
  const wanted = listParts(readDocumentBody(record)).slice(offset, offset + Math.min(limit, MAX_SECTIONS));
  const found = await parts.store.getRecords(record.space, wanted, passOver);
  const byId = new Map(found.filter(({ deletedAt }) => deletedAt === null).map((one) => [one.id, one]));
  const sections = wanted.flatMap((id) => byId.get(id) ?? []).map(toSection);
  return { document: { ...toDocument(record), ...(await countWritten(parts, record)) }, sections };
}

async function countWritten({ store }: { store: Records }, record: StoredRecord): Promise<{ written?: number }> {
  const body = readDocumentBody(record);
  if (body.state === 'ready') return {};
  const ids = listParts(body);
  const filter = { ids, kinds: [sectionKind.name], includeSuperseded: true };
  return { written: (await store.listRecords(record.space, filter, { limit: 1 }, passOver)).total };
}

export interface RemoveDocumentsInput {
  /** Ids, or where documents came from; or a filter, which may not be empty. */
  refs?: readonly string[];
  project?: string;
  filter?: ListFilter;
  dryRun?: boolean;
}

export interface RemovedDocuments {
  outcome: 'deleted' | 'would_delete';
  documents: DocumentSummary[];
  /** Sections that went with them. */
  sections: number;
  missing: string[];
}

/** With all their sections. They can be restored for a while. */
export async function removeDocuments(
  parts: EngineParts,
  caller: Caller,
  { refs = [], project, filter, dryRun = false }: RemoveDocumentsInput,
): Promise<RemovedDocuments> {
  authorize(caller, 'write', caller.space);
  const found: StoredRecord[] = [];
  const missing: string[] = [];
  for (const ref of refs) {
    const named = await locateAll(parts, caller, { ...REMOVABLE, ref, project });
    found.push(...named);
    if (named.length === 0) missing.push(ref);
  }
  if (refs.length === 0 && filter !== undefined)
    for await (const { items } of readPages(parts.store, caller.space, {
      filter: { ...filter, kinds: [documentKind.name], deleted: 'exclude' },
      limit: 200,
    }))
      found.push(...items);
  const unique = [...new Map(found.map((record) => [record.id, record])).values()];
  let sections = 0;
  for (const record of unique)
    sections += dryRun ? listParts(readDocumentBody(record)).length : await removeOne(parts, caller, record);
  const documents = unique.map(toDocument);
  return { outcome: dryRun ? 'would_delete' : 'deleted', documents, sections, missing };
}

const REMOVABLE = { kind: documentKind.name, action: 'write', deleted: 'exclude' } as const;

/** The sections first: whoever is interrupted finds the rest by the document. */
export async function removeOne(parts: EngineParts, caller: Caller, record: StoredRecord): Promise<number> {
  const { space, id } = record;
  const removed = await removeSections(parts, caller, { document: id, ids: readDocumentBody(record).parts, space });
  const at = await parts.time.timeOfDeletion();
  await commitInBatches(parts.store, { space, actor: actorOf(caller), changes: [{ op: 'delete', id, at }] });
  return removed;
}

/** As it was, with all its sections that are not purged yet. */
export async function restoreDocument(
  parts: EngineParts,
  caller: Caller,
  { ref }: { ref: string },
): Promise<DocumentSummary> {
  const kind = documentKind.name;
  const record = await locate(parts, caller, { kind, ref, action: 'write', deleted: 'include' });
  const { space, id } = record;
  if (record.deletedAt === null) return toDocument(record);
  const { store, clock } = parts;
  const ids = listParts(readDocumentBody(record));
  const actor = actorOf(caller);
  await commitInBatches(store, { space, actor, changes: [{ op: 'restore', id, at: clock.now() }] });
  for (let at = 0; at < ids.length; at += 200) {
    const gone = (await store.getRecords(space, ids.slice(at, at + 200), passOver)).filter(
      (one) => one.deletedAt !== null && readPlace(one).document === id,
    );
    const all = gone.map((one) => ({ op: 'restore', id: one.id, at: clock.now() }) as const);
    const kept = new Set(
      (await findRejectedChanges(store, parts, { space, changes: all })).map(({ change }) => change),
    );
    const changes = all.filter((change) => !kept.has(change));
    await commitInBatches(store, { space, actor, changes });
  }
  const [restored] = await store.getRecords(space, [id]);
  return toDocument(restored ?? { ...record, deletedAt: null });
}

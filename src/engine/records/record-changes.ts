import type { PutChange } from '../../model/change.ts';
import type { Instant, RecordId, SpaceId } from '../../model/ids.ts';
import type { RecordContent, StoredRecord } from '../../model/record.ts';
import type { Relation } from '../../model/relation.ts';
import type { Store } from '../ports.ts';
import type { Searchable } from './make-searchable.ts';

type PutOptions = Searchable & Pick<PutChange, 'unlessDuplicate' | 'reason'>;

export function contentOf(record: StoredRecord): RecordContent {
  const {
    space: _space,
    id: _id,
    revision: _revision,
    deletedAt: _deletedAt,
    generation: _g,
    dot: _dot,
    ...content
  } = record;
  return content;
}

export function createChange(id: RecordId, content: RecordContent, options: PutOptions): PutChange {
  const { passages, vectors, unlessDuplicate, reason } = options;
  return { op: 'put', id, content, passages, vectors, expect: 'new', unlessDuplicate, reason };
}

/** Replaces a record that is still as it was read. */
export function updateChange(record: StoredRecord, content: RecordContent, options: PutOptions): PutChange {
  return { ...createChange(record.id, content, options), expect: record.revision };
}

/** The change that hides a record behind the one that takes its place; its key is free for the successor. */
export async function supersedeChange(
  store: Store,
  old: StoredRecord,
  { id, at, reason }: { id: RecordId; at: Instant; reason?: string },
): Promise<PutChange> {
  const content: RecordContent = { ...contentOf(old), key: null, supersededBy: id, updatedAt: at };
  const searchable = await readSearchable(store, old.space, old.id);
  return updateChange(old, content, { ...searchable, unlessDuplicate: false, reason });
}

export function supersedesRelation(newer: RecordId, older: RecordId, at: Instant): Relation {
  return { from: newer, to: older, type: 'supersedes', weight: 1, body: {}, createdAt: at };
}

/** What the store has of a record's text, so that a change of labels needs no new vectors. */
export async function readSearchable(store: Store, space: SpaceId, id: RecordId): Promise<Searchable> {
  const [entry] = await store.readIndexEntries(space, [id]);
  return { passages: entry?.passages ?? [], vectors: entry?.vectors ?? [] };
}

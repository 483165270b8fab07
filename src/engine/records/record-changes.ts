import type { Caller } from '../../model/caller.ts';
import type { Change, PutChange } from '../../model/change.ts';
import type { Instant, RecordId } from '../../model/ids.ts';
import { lowestTrust, type RecordContent, type RecordState, type StoredRecord } from '../../model/record.ts';
import type { Relation } from '../../model/relation.ts';
import type { Clock, Commits, Passages } from '../ports.ts';
import { type KindTable, passagesOf } from './kind.ts';
import type { Searchable } from './make-searchable.ts';
import { actorOf } from './origin.ts';

type PutOptions = Searchable & Pick<PutChange, 'unlessDuplicate' | 'reason'>;

interface UpdateOptions extends PutOptions {
  /** A person has said how far it is to be trusted, and `authorizeTrust` let them. */
  raisesTrust?: boolean;
}

export function contentOf(record: StoredRecord): RecordContent {
  const { space: _s, id: _i, revision: _r, deletedAt: _d, generation: _g, dot: _o, ...content } = record;
  return content;
}

export function createChange(id: RecordId, content: RecordContent, options: PutOptions): PutChange {
  const { passages, vectors, unlessDuplicate, reason } = options;
  return { op: 'put', id, content, passages, vectors, expect: 'new', unlessDuplicate, reason };
}

/** Replaces a record that is still as it was read. Whatever the change is, it makes nothing more trusted than it was, unless a person said so. */
export function updateChange(
  record: StoredRecord,
  content: RecordContent,
  { raisesTrust, ...options }: UpdateOptions,
): PutChange {
  const trust = raisesTrust === true ? content.trust : lowestTrust(record.trust, content.trust);
  return { ...createChange(record.id, { ...content, trust }, options), expect: record.revision };
}

/** The change that hides a record behind the one that takes its place; its key is free for the successor. */
export async function supersedeChange(
  parts: { store: Passages; kinds: KindTable },
  old: StoredRecord,
  { id, at, reason }: { id: RecordId; at: Instant; reason?: string },
): Promise<PutChange> {
  const content: RecordContent = { ...contentOf(old), key: null, supersededBy: id, updatedAt: at };
  const searchable = await readSearchable(parts, old);
  return updateChange(old, content, { ...searchable, unlessDuplicate: false, reason });
}

export function supersedesRelation(newer: RecordId, older: RecordId, at: Instant): Relation {
  return { from: newer, to: older, type: 'supersedes', weight: 1, body: {}, createdAt: at };
}

/** What the store has of a record's text, so that a change of labels needs no new vectors; what is damaged of it is made anew. */
export async function readSearchable(
  { store, kinds }: { store: Passages; kinds: KindTable },
  record: StoredRecord,
): Promise<Searchable> {
  const [entry] = await store.readIndexEntries(record.space, [record.id]);
  const { passages = [], vectors = [] } = entry ?? {};
  return { passages: entry?.damaged === 'passages' ? passagesOf(kinds.need(record.kind), record) : passages, vectors };
}

interface RecordPut extends Searchable {
  id: RecordId;
  content: RecordContent;
  /** The record of this id as it was read; one that was deleted comes back. */
  known: StoredRecord | null;
  unlessDuplicate: boolean;
}

/** Writes a record into the caller's space; null when somebody else was faster. */
export async function putRecord(
  { store, clock }: { store: Commits; clock: Clock },
  caller: Caller,
  { id, content, known, ...options }: RecordPut,
): Promise<RecordState | null> {
  const changes: Change[] = [];
  let revision = known?.revision ?? 0;
  if (known !== null && known.deletedAt !== null)
    changes.push({ op: 'restore', id, at: clock.now(), revision: revision++ });
  const put =
    known === null ? createChange(id, content, options) : updateChange({ ...known, revision }, content, options);
  const committed = await store.commit(caller.space, [...changes, put], actorOf(caller));
  if (committed.outcome === 'conflict') return null;
  return { ...put.content, space: caller.space, id, revision: committed.revisions.get(id)!, deletedAt: null };
}

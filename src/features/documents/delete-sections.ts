import { authorize } from '../../engine/authorize.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import type { Records } from '../../engine/ports.ts';
import { checkRevision, retryConflicts } from '../../engine/records/change-record.ts';
import { liftNotNeeded, readDeleteFilter } from '../../engine/records/delete-records.ts';
import type { DeletedRecords, DeleteRecordsInput } from '../../engine/records/deletion.ts';
import { locateAll, readPages } from '../../engine/records/find-records.ts';
import { actorOf } from '../../engine/records/origin.ts';
import { contentOf, readSearchable, updateChange } from '../../engine/records/record-changes.ts';
import { rejectionOf } from '../../engine/rejections/claims.ts';
import type { Caller } from '../../model/caller.ts';
import type { Change } from '../../model/change.ts';
import { passOver } from '../../model/damage.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import { lateFunctions } from '../../model/late.ts';
import type { StoredRecord } from '../../model/record.ts';
import { listParts, readDocumentBody, readPlace } from './document.ts';
import { documentKind, sectionKind } from './document-kind.ts';
import { removeOne } from './read-documents.ts';

const { leaveRejections } = lateFunctions(
  () => import('../../engine/rejections/leave-rejections.ts'),
  'leaveRejections',
);

const PAGE = 200;
const MAX_SHOWN = 100;
/** In one commit, so that nobody finds a document that lists what is gone; small enough that others get their turn in between. */
const AT_ONCE = 50;

type DeleteSectionsInput = Omit<DeleteRecordsInput, 'kind'>;

/** Passages of documents by themselves. A document of which nothing is left goes with the last one. */
export async function deleteSections(
  parts: EngineParts,
  caller: Caller,
  input: DeleteSectionsInput,
): Promise<DeletedRecords> {
  authorize(caller, 'write', caller.space);
  const chosen =
    input.refs === undefined ? await findByFilter(parts, caller, input) : await findByRefs(parts, caller, input);
  const { shown, missing } = chosen;
  if (input.dryRun === true) return { outcome: 'would_delete', records: shown, count: chosen.total, missing };
  let count = 0;
  for (const cutting of chosen.documents.values()) count += await deleteOf(parts, caller, { ...cutting, said: input });
  return { outcome: 'deleted', records: shown, count, missing };
}

/** Sections of one document. */
interface Cutting {
  space: SpaceId;
  document: RecordId;
  ids: RecordId[];
}

type Said = Pick<DeleteSectionsInput, 'forever' | 'why'>;

interface Chosen {
  documents: Map<string, Cutting>;
  /** The first hundred. */
  shown: StoredRecord[];
  total: number;
  missing: string[];
}

async function findByRefs(
  parts: EngineParts,
  caller: Caller,
  { refs = [], revision }: DeleteSectionsInput,
): Promise<Chosen> {
  const chosen: Chosen = { documents: new Map(), shown: [], total: 0, missing: [] };
  for (const ref of refs) {
    const found = await locateAll(parts, caller, { kind: sectionKind.name, ref, action: 'write', deleted: 'exclude' });
    if (found.length === 0) chosen.missing.push(ref);
    for (const record of found) {
      checkRevision(record, revision);
      choose(chosen, record);
    }
  }
  return chosen;
}

async function findByFilter(parts: EngineParts, caller: Caller, input: DeleteSectionsInput): Promise<Chosen> {
  const filter = await readDeleteFilter(parts, caller, { ...input, kind: sectionKind });
  const chosen: Chosen = { documents: new Map(), shown: [], total: 0, missing: [] };
  for await (const { items } of readPages(parts.store, caller.space, { filter, limit: PAGE, note: passOver }))
    for (const record of items) choose(chosen, record);
  return chosen;
}

function choose(chosen: Chosen, record: StoredRecord): void {
  const { documents, shown } = chosen;
  const { document } = readPlace(record);
  const name = `${record.space}\n${document}`;
  const of = documents.get(name) ?? { space: record.space, document, ids: [] };
  documents.set(name, of);
  of.ids.push(record.id);
  chosen.total++;
  if (shown.length < MAX_SHOWN) shown.push(record);
}

/** How many of them there were. */
async function deleteOf(
  parts: EngineParts,
  caller: Caller,
  { space, document, ids, said }: Cutting & { said: Said },
): Promise<number> {
  if (ids.length > AT_ONCE) {
    const head = await findHead(parts, space, document);
    const wanted = new Set(ids);
    const isWhole = head !== null && listParts(readDocumentBody(head)).every((id) => wanted.has(id));
    if (isWhole && head.deletedAt === null && said.forever !== true) return removeOne(parts, caller, head);
  }
  let count = 0;
  for (let at = 0; at < ids.length; at += AT_ONCE)
    count += await takeOut(parts, caller, { space, document, ids: ids.slice(at, at + AT_ONCE), said });
  return count;
}

/** How many were still there. */
function takeOut(
  parts: EngineParts,
  caller: Caller,
  { space, document, ids, said }: Cutting & { said: Said },
): Promise<number> {
  const { store } = parts;
  return retryConflicts(async () => {
    const at = await parts.time.timeOfDeletion();
    const live = (await store.getRecords(space, ids, passOver)).filter(({ deletedAt }) => deletedAt === null);
    if (live.length === 0) return 0;
    const changes: Change[] = live.map(({ id, revision }) => ({ op: 'delete', id, at, revision }));
    const head = await findHead(parts, space, document);
    let staysThere = false;
    if (head !== null && head.deletedAt === null) {
      const gone = new Set(live.map(({ id }) => id));
      const left = listParts(readDocumentBody(head)).filter((id) => !gone.has(id));
      const { revision } = head;
      staysThere = await isAnyLive(parts, space, left);
      if (staysThere) changes.push(await planHead(parts, head, [...gone], 'add'));
      else changes.push({ op: 'delete', id: head.id, at, revision });
    }
    const committed = await store.commit(space, changes, actorOf(caller));
    if (committed.outcome === 'conflict') return null;
    if (staysThere || said.forever === true) await keepOut(parts, caller, { space, records: live, said });
    return live.length;
  });
}

/** A document that stays is not asked for these again when it is ingested anew; one that goes as a whole may come back as a whole. */
async function keepOut(
  parts: EngineParts,
  caller: Caller,
  { space, records, said }: { space: SpaceId; records: readonly StoredRecord[]; said: Said },
): Promise<void> {
  const how = said.forever === true ? 'deleted' : 'not_needed';
  const rejecting = records.flatMap((record) => rejectionOf(parts, record, { how, why: said.why }));
  await leaveRejections(parts, caller, { space, rejecting });
}

async function findHead({ store }: { store: Records }, space: SpaceId, id: RecordId): Promise<StoredRecord | null> {
  const [head] = await store.getRecords(space, [id], passOver);
  return head?.kind === documentKind.name ? head : null;
}

async function isAnyLive({ store }: { store: Records }, space: SpaceId, ids: readonly RecordId[]): Promise<boolean> {
  for (let at = 0; at < ids.length; at += PAGE) {
    const records = await store.getRecords(space, ids.slice(at, at + PAGE), passOver);
    if (records.some(({ deletedAt }) => deletedAt === null)) return true;
  }
  return false;
}

/** What the document says of its sections, once some were taken out by themselves or have come back. */
async function planHead(
  parts: EngineParts,
  head: StoredRecord,
  ids: readonly RecordId[],
  how: 'add' | 'remove',
): Promise<Change> {
  const body = readDocumentBody(head);
  const removed = new Set(body.removed ?? []);
  for (const id of ids) how === 'add' ? removed.add(id) : removed.delete(id);
  const { removed: _, ...rest } = body;
  const said = { ...rest, ...(removed.size > 0 && { removed: [...removed] }) } as unknown as JsonObject;
  const content = { ...contentOf(head), body: said, updatedAt: parts.clock.now() };
  return updateChange(head, content, { ...(await readSearchable(parts, head)), unlessDuplicate: false });
}

/** Each with its document, where that went too. */
export async function restoreSections(
  parts: EngineParts,
  caller: Caller,
  refs: readonly string[],
): Promise<{ restored: StoredRecord[]; missing: string[] }> {
  authorize(caller, 'write', caller.space);
  const restored: StoredRecord[] = [];
  const missing: string[] = [];
  for (const ref of refs) {
    const wanted = { kind: sectionKind.name, ref, action: 'write' } as const;
    const [deleted] = await locateAll(parts, caller, { ...wanted, deleted: 'only' });
    const record = deleted ?? (await locateAll(parts, caller, { ...wanted, deleted: 'exclude' }))[0];
    if (record === undefined) missing.push(ref);
    else restored.push(deleted === undefined ? record : await putBack(parts, caller, deleted));
  }
  return { restored, missing };
}

function putBack(parts: EngineParts, caller: Caller, { space, id, body }: StoredRecord): Promise<StoredRecord> {
  const { store, clock } = parts;
  return retryConflicts(async () => {
    const [record] = await store.getRecords(space, [id]);
    if (record === undefined || record.deletedAt === null) return record ?? null;
    const at = clock.now();
    const changes: Change[] = [{ op: 'restore', id, at, revision: record.revision }];
    changes.push(...(await liftNotNeeded(parts, space, [record])));
    const head = await findHead(parts, space, readPlace({ body }).document);
    if (head !== null) changes.push(...(await planReturn(parts, head, id)));
    const committed = await store.commit(space, changes, actorOf(caller));
    return committed.outcome === 'committed' ? ((await store.getRecords(space, [id]))[0] ?? null) : null;
  });
}

/** A document that was deleted comes back with this section alone. */
async function planReturn(parts: EngineParts, head: StoredRecord, id: RecordId): Promise<Change[]> {
  if (head.deletedAt === null) return [await planHead(parts, head, [id], 'remove')];
  const back = { ...head, deletedAt: null, revision: head.revision + 1 };
  const { parts: all } = readDocumentBody(head);
  const body = { ...head.body, removed: all.filter((one) => one !== id) };
  return [
    { op: 'restore', id: head.id, at: parts.clock.now(), revision: head.revision },
    await planHead(parts, { ...back, body }, [id], 'remove'),
  ];
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EngineParts } from '../../engine/engine-parts.ts';
import { commitInBatches, retryConflicts } from '../../engine/records/change-record.ts';
import { passagesOf } from '../../engine/records/kind.ts';
import { createSearchableMaker, type SearchableMaker } from '../../engine/records/make-searchable.ts';
import { actorOf } from '../../engine/records/origin.ts';
import { contentOf, createChange, updateChange } from '../../engine/records/record-changes.ts';
import type { Caller } from '../../model/caller.ts';
import { canonicalJson } from '../../model/canonical-json.ts';
import type { Change } from '../../model/change.ts';
import type { RecordId } from '../../model/ids.ts';
import { lowestTrust, type RecordContent, type StoredRecord } from '../../model/record.ts';
import type { CutSection } from './cut-sections.ts';
import { readPlace, type SectionCounts, type SectionPlace } from './document.ts';
import { sectionKind } from './document-kind.ts';

export type PlannedSection = CutSection;

/** Small enough that others get their turn in between. */
const BATCH = 25;

interface Writing {
  document: RecordId;
  /** The document's own record: its sections have its labels, its origin and its trust. */
  head: RecordContent;
  planned: readonly PlannedSection[];
  report?: (done: number, total: number) => void;
}

/** Writes what is new or has changed; what is there as it should be is only read. */
export async function writeSections(
  parts: EngineParts,
  caller: Caller,
  { document, head, planned, report }: Writing,
): Promise<Omit<SectionCounts, 'removed'>> {
  const total = { added: 0, moved: 0, unchanged: 0 };
  for (let at = 0; at < planned.length; at += BATCH) {
    const make = createSearchableMaker(parts);
    const wanted = planned.slice(at, at + BATCH).map((section, i) => ({
      id: section.id,
      content: toContent(section, { head, document, ordinal: at + i }),
    }));
    const counts = await retryConflicts(() => writeBatch(parts, caller, { wanted, make }));
    for (const name of Object.keys(total) as (keyof typeof total)[]) total[name] += counts[name];
    report?.(Math.min(at + BATCH, planned.length), planned.length);
    await nextTurn();
  }
  return total;
}

function toContent(
  { headings, text, page, line }: PlannedSection,
  { head, document, ordinal }: { head: RecordContent; document: RecordId; ordinal: number },
): RecordContent {
  const title = head.title ?? '';
  const place: SectionPlace = { document, title, uri: String(head.body.uri), headings, page, line, ordinal };
  return sectionKind.derive({
    ...head,
    kind: sectionKind.name,
    key: null,
    content: text,
    body: { metadata: { ...place } },
  });
}

interface Batch {
  wanted: readonly { id: RecordId; content: RecordContent }[];
  make: SearchableMaker;
}

async function writeBatch(
  parts: EngineParts,
  caller: Caller,
  { wanted, make }: Batch,
): Promise<Omit<SectionCounts, 'removed'> | null> {
  const { store, clock } = parts;
  const records = await store.getRecords(
    caller.space,
    wanted.map(({ id }) => id),
  );
  const known = new Map(records.map((record) => [record.id, record]));
  const fresh = wanted.filter(({ id }) => !isLive(known.get(id)));
  const made = await make(fresh.map(({ content }) => content));
  const searchable = new Map(fresh.map(({ id }, i) => [id, made[i]!]));
  const counts = { added: 0, moved: 0, unchanged: 0 };
  const changes: Change[] = [];
  for (const { id, content } of wanted) {
    const there = known.get(id);
    const { passages, vectors } = searchable.get(id) ?? { passages: passagesOf(sectionKind, content), vectors: [] };
    const options = { passages, vectors, unlessDuplicate: false };
    if (there === undefined) changes.push(createChange(id, content, options));
    else if (isSame(there, content)) {
      counts.unchanged++;
      continue;
    } else {
      let { revision } = there;
      if (!isLive(there)) changes.push({ op: 'restore', id, at: clock.now(), revision: revision++ });
      const put = updateChange({ ...there, revision }, { ...content, createdAt: there.createdAt }, options);
      changes.push({ ...put, isDerived: true });
    }
    counts[isLive(there) ? 'moved' : 'added']++;
  }
  if (changes.length === 0) return counts;
  return (await store.commit(caller.space, changes, actorOf(caller))).outcome === 'committed' ? counts : null;
}

function isLive(record: StoredRecord | undefined): boolean {
  return record !== undefined && record.deletedAt === null;
}

/** Whoever ingested it first, and when. */
function isSame(there: StoredRecord, content: RecordContent): boolean {
  const { createdAt, updatedAt, source } = there;
  const trust = lowestTrust(there.trust, content.trust);
  const same = { ...content, createdAt, updatedAt, source, trust };
  return isLive(there) && canonicalJson(contentOf(there)) === canonicalJson(same);
}

/** Those of the document that are still there; how many that were. */
export async function removeSections(
  parts: EngineParts,
  caller: Caller,
  { document, ids, space = caller.space }: { document: RecordId; ids: readonly RecordId[]; space?: string },
): Promise<number> {
  if (ids.length === 0) return 0;
  const at = await parts.time.timeOfDeletion();
  let removed = 0;
  for (let i = 0; i < ids.length; i += BATCH) {
    const records = await parts.store.getRecords(space, ids.slice(i, i + BATCH), () => {});
    const own = records.filter((record) => isLive(record) && readPlace(record).document === document);
    const changes = own.map(({ id }) => ({ op: 'delete', id, at }) as const);
    removed += (await commitInBatches(parts.store, { space, actor: actorOf(caller), changes })).length;
    await nextTurn();
  }
  return removed;
}

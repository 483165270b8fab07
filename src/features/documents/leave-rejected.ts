import type { EngineParts } from '../../engine/engine-parts.ts';
import { commitInBatches, retryConflicts } from '../../engine/records/change-record.ts';
import { readPages } from '../../engine/records/find-records.ts';
import { createSearchableMaker } from '../../engine/records/make-searchable.ts';
import { actorOf } from '../../engine/records/origin.ts';
import { contentOf, updateChange } from '../../engine/records/record-changes.ts';
import { describeRejection } from '../../engine/rejections/guard-commits.ts';
import {
  type AllRejections,
  findParts,
  findRejection,
  type SpaceRejections,
} from '../../engine/rejections/space-rejections.ts';
import type { Caller } from '../../model/caller.ts';
import { passOver } from '../../model/damage.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { Rejection } from '../../model/rejection.ts';
import { createPacer } from '../../search/index/pacer.ts';
import { sectionKind } from './document-kind.ts';
import type { PlannedSection } from './write-sections.ts';

/** Where a statement was taken out. */
const TAKEN_OUT = '[…]';

interface Planned {
  planned: PlannedSection[];
  /** What is to be said about what is missing. */
  left: string[];
  /** Tombstones that no longer hold. */
  lifted: RecordId[];
}

/**
 * Sections that somebody has rejected are left out, whoever says them, and of other sections the sentences that were; those that were merely deleted, as long as the
 * document is there without them. A document that went as a whole comes back as a whole.
 */
export async function leaveRejected(
  { rejections }: { rejections: AllRejections },
  { space }: Caller,
  { id, isNew, planned }: { id: RecordId; isNew: boolean; planned: readonly PlannedSection[] },
): Promise<Planned> {
  const out: Planned = { planned: [], left: [], lifted: [] };
  const pace = createPacer();
  let state = await rejections.fresh(space);
  const gone: Rejection[] = [];
  const cut: Rejection[] = [];
  for (const section of planned) {
    const waiting = pace();
    if (waiting !== undefined) {
      await waiting;
      state = await rejections.fresh(space);
    }
    const rejection = findRejection(state, section.text, `document:${id}`);
    if (rejection !== null && (!isNew || rejection.from === null)) {
      gone.push(rejection);
      continue;
    }
    if (rejection !== null) out.lifted.push(rejection.id);
    const { text, taken } = takeOut(state, section.text);
    cut.push(...taken);
    out.planned.push(taken.length === 0 ? section : { ...section, text });
  }
  out.left.push(...describe(gone, 'section'), ...describe(cut, 'sentence'));
  return out;
}

function describe([first, ...more]: readonly Rejection[], what: string): string[] {
  if (first === undefined) return [];
  const count = more.length === 0 ? `1 ${what} was` : `${more.length + 1} ${what}s were`;
  return [`${count} left out: ${describeRejection(first)}`];
}

/** A text without the statements in it that somebody has rejected. */
function takeOut(state: SpaceRejections, text: string): { text: string; taken: Rejection[] } {
  const found = [...findParts(state, text)].sort((a, b) => a.part.start - b.part.start);
  const taken: Rejection[] = [];
  let kept = '';
  let at = 0;
  for (const { part, rejection } of found) {
    if (part.start < at) continue;
    kept += `${text.slice(at, part.start)}${TAKEN_OUT}`;
    at = part.end;
    taken.push(rejection);
  }
  return { text: kept + text.slice(at), taken };
}

export async function liftAll(parts: EngineParts, caller: Caller, ids: readonly RecordId[]): Promise<void> {
  const at = await parts.time.timeOfDeletion();
  const changes = [...new Set(ids)].map((id) => ({ op: 'delete', id, at }) as const);
  await commitInBatches(parts.store, { space: caller.space, actor: actorOf(caller), changes });
}

const PAGE = 200;

/** The same in what was ingested before. */
export async function takeOutOfSections(
  parts: EngineParts,
  { space, actor }: { space: SpaceId; actor: string },
): Promise<void> {
  const { store, rejections, clock } = parts;
  const filter = { kinds: [sectionKind.name] };
  for await (const { items } of readPages(store, space, { filter, limit: PAGE, note: passOver })) {
    const state = await rejections.fresh(space);
    for (const { id } of items.filter(({ content }) => takeOut(state, content).taken.length > 0))
      await retryConflicts(async () => {
        const [known] = await store.getRecords(space, [id], passOver);
        if (known === undefined || known.deletedAt !== null) return true;
        const { text } = takeOut(await rejections.fresh(space), known.content);
        const content = sectionKind.derive({ ...contentOf(known), content: text, updatedAt: clock.now() });
        const [made] = await createSearchableMaker(parts)([content]);
        const put = updateChange(known, content, { ...made!, unlessDuplicate: false, reason: 'rejected' });
        return (await store.commit(space, [put], actor)).outcome === 'committed' ? true : null;
      });
  }
}

import { authorize } from '../../engine/authorize.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import { listChangedSince, readStates } from '../../engine/past/state-at.ts';
import { checkInstant, invalid } from '../../engine/records/check-text.ts';
import { readPages } from '../../engine/records/find-records.ts';
import type { Caller } from '../../model/caller.ts';
import { canonicalJson } from '../../model/canonical-json.ts';
import type { RecordId } from '../../model/ids.ts';
import type { StoredRecord } from '../../model/record.ts';
import { firstLine } from '../../search/text/make-snippet.ts';
import { memoryKind } from '../memories/memory-kind.ts';
import type { Diff, DiffEntry, DiffInput } from './history.ts';

const DEFAULT_LIMIT = 100;
const PAGE = 500;
const TITLE_CHARS = 80;
/** What the content of a record says, and what people and agents have said about it. */
const COMPARED = [
  ...(['content', 'title', 'type', 'tags', 'key', 'project', 'trust', 'quality', 'author', 'body'] as const),
  ...(['validFrom', 'validUntil', 'supersededBy'] as const),
] satisfies (keyof StoredRecord)[];

/** What memories have come, changed and gone between two times. */
export function diffMemories(parts: EngineParts, caller: Caller, input: DiffInput): Promise<Diff> {
  return diffRecords(parts, caller, { ...input, kind: memoryKind.name });
}

/** What has come, changed and gone in the caller's space between two times, the latest first. */
export async function diffRecords(
  parts: EngineParts,
  caller: Caller,
  { from, to = parts.clock.now(), kind, project, limit = DEFAULT_LIMIT }: DiffInput & { kind: string },
): Promise<Diff> {
  const { space } = caller;
  authorize(caller, 'read', space);
  checkInstant('from', from);
  checkInstant('to', to);
  if (from > to) throw invalid('to', 'must not be earlier than from');
  const { store } = parts;
  const ids = await listChangedSince(store, space, from);
  const filter = {
    after: from + 1,
    before: to + 1,
    deleted: 'include',
    includeSuperseded: true,
    kinds: [kind],
  } as const;
  for await (const { items } of readPages(store, space, { filter, limit: PAGE }))
    for (const { id } of items) ids.add(id);
  const all = [...ids];
  const before = await readStates(store, space, { ids: all, at: from });
  const after = await readStates(store, space, { ids: all, at: to });
  const entries = all
    .flatMap(
      (id) => describe(id, present(before.get(id)), { after: present(after.get(id)), later: after.get(id) }) ?? [],
    )
    .filter((entry) => entry.kind === kind && (project === undefined || entry.project === project))
    .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
  return {
    fromAt: from,
    toAt: to,
    entries: entries.slice(0, limit).map(({ project: _, ...entry }) => entry),
    total: entries.length,
  };
}

/** A record that is deleted or superseded is not there for whoever looks. */
function present(record: StoredRecord | undefined): StoredRecord | null {
  return record === undefined || record.deletedAt !== null || record.supersededBy !== null ? null : record;
}

function describe(
  id: RecordId,
  before: StoredRecord | null,
  { after, later }: { after: StoredRecord | null; later: StoredRecord | undefined },
): (DiffEntry & { project: string | null }) | null {
  const shown = after ?? before;
  if (shown === null) return null;
  const fields =
    before === null || after === null
      ? []
      : COMPARED.filter((name) => canonicalJson(before[name] as never) !== canonicalJson(after[name] as never));
  if (before !== null && after !== null && fields.length === 0) return null;
  const { kind, title, content, project, trust, source } = shown;
  const change = before === null ? 'added' : after === null ? 'removed' : 'changed';
  const at =
    after === null
      ? (later?.deletedAt ?? later?.updatedAt ?? before!.updatedAt)
      : before === null
        ? after.createdAt
        : after.updatedAt;
  const texts = { was: before?.content ?? null, is: after?.content ?? null };
  return {
    id,
    kind,
    title: title ?? firstLine(content, TITLE_CHARS),
    change,
    fields,
    ...texts,
    trust,
    source,
    at,
    project,
  };
}

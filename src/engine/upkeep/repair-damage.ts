import { canonicalJson } from '../../model/canonical-json.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { RecordContent, StoredRecord } from '../../model/record.ts';
import type { EngineParts } from '../engine-parts.ts';
import { findFaults, type Kind } from '../records/kind.ts';
import { passagesOf } from '../records/make-searchable.ts';
import { contentOf, updateChange } from '../records/record-changes.ts';

/**
 * What can be repaired without guessing: whatever follows from a record whose source is intact (its passages, and what its kind derives) is
 * made anew, and a record that is not intact goes back to its newest intact version. Everything else is left as it is and stays in the report.
 */
export async function repairDamage(
  parts: EngineParts,
  damaged: readonly { space: SpaceId; id: RecordId }[],
): Promise<string[]> {
  const repaired: string[] = [];
  for (const { space, id } of damaged) {
    const [record] = await parts.store.getRecords(space, [id]);
    const kind = record === undefined ? undefined : parts.kinds.find(record.kind);
    if (record === undefined || kind === undefined || record.deletedAt !== null) continue;
    const isIntact = (await findFaults(kind, record)).length === 0;
    const done = isIntact ? await deriveAgain(parts, kind, record) : await goBack(parts, kind, record);
    if (done !== null) repaired.push(done);
  }
  return repaired;
}

async function deriveAgain(parts: EngineParts, kind: Kind, record: StoredRecord): Promise<string | null> {
  const content = kind.derive(contentOf(record));
  const there = (await parts.store.readPassages(record.space, [record.id])).get(record.id) ?? [];
  const isSame =
    canonicalJson(content) === canonicalJson(contentOf(record)) &&
    JSON.stringify(there) === JSON.stringify(passagesOf(kind, content));
  if (isSame || !(await rewrite(parts, kind, { record, content }))) return null;
  return `What is derived from ${record.id}, such as its passages, was made anew.`;
}

async function goBack(parts: EngineParts, kind: Kind, record: StoredRecord): Promise<string | null> {
  const { key, project, supersededBy } = record;
  for (const { record: version } of await parts.store.listVersions(record.space, record.id)) {
    if ((await findFaults(kind, version)).length > 0) continue;
    const content = kind.derive({ ...contentOf(version), key, project, supersededBy });
    return (await rewrite(parts, kind, { record, content }))
      ? `${record.id} has its text of revision ${version.revision} again.`
      : null;
  }
  return null;
}

async function rewrite(
  parts: EngineParts,
  kind: Kind,
  { record, content }: { record: StoredRecord; content: RecordContent },
): Promise<boolean> {
  const change = updateChange(record, content, {
    passages: passagesOf(kind, content),
    vectors: [],
    unlessDuplicate: false,
    reason: 'repair',
  });
  return (await parts.store.commit(record.space, [change], 'job:repair')).outcome === 'committed';
}

import type { RecordId, SpaceId } from '../../model/ids.ts';
import { hashContent, type StoredRecord } from '../../model/record.ts';
import type { EngineParts } from '../engine-parts.ts';
import { contentOf, updateChange } from '../memories/record-changes.ts';
import { splitPassages } from '../memories/split-passages.ts';

/**
 * What can be repaired without guessing: lost or altered passages are cut anew from a text that is intact, and a text that is not
 * goes back to its newest intact version. Everything else is left as it is and stays in the report.
 */
export async function repairDamage(
  parts: EngineParts,
  damaged: readonly { space: SpaceId; id: RecordId }[],
): Promise<string[]> {
  const repaired: string[] = [];
  for (const { space, id } of damaged) {
    const [record] = await parts.store.getRecords(space, [id]);
    if (record === undefined || record.deletedAt !== null || record.kind !== 'memory') continue;
    const done = hasItsText(record) ? await recutPassages(parts, record) : await goBack(parts, record);
    if (done !== null) repaired.push(done);
  }
  return repaired;
}

async function recutPassages(parts: EngineParts, record: StoredRecord): Promise<string | null> {
  const there = (await parts.store.readPassages(record.space, [record.id])).get(record.id) ?? [];
  const wanted = splitPassages(record.content);
  if (JSON.stringify(there) === JSON.stringify(wanted)) return null;
  return (await rewrite(parts, record, record)) ? `The passages of ${record.id} were cut anew.` : null;
}

async function goBack(parts: EngineParts, record: StoredRecord): Promise<string | null> {
  const versions = await parts.store.listVersions(record.space, record.id);
  const sound = versions.find((version) => hasItsText(version.record))?.record;
  if (sound === undefined) return null;
  return (await rewrite(parts, record, sound))
    ? `${record.id} has its text of revision ${sound.revision} again.`
    : null;
}

async function rewrite(parts: EngineParts, record: StoredRecord, source: StoredRecord): Promise<boolean> {
  const { key, project, supersededBy } = record;
  const content = { ...contentOf(source), key, project, supersededBy };
  const change = updateChange(record, content, {
    passages: splitPassages(content.content),
    vectors: [],
    unlessDuplicate: false,
    reason: 'repair',
  });
  return (await parts.store.commit(record.space, [change], 'job:repair')).outcome === 'committed';
}

function hasItsText(record: StoredRecord): boolean {
  return hashContent(record.content) === record.contentHash;
}

import type { EngineParts } from '../../engine/engine-parts.ts';
import { changeRecord } from '../../engine/records/change-record.ts';
import { contentOf } from '../../engine/records/record-changes.ts';
import type { Caller } from '../../model/caller.ts';
import type { Archived } from '../../model/memory.ts';
import type { RecordContent, StoredRecord } from '../../model/record.ts';
import { planQuality } from '../quality/rate-memory.ts';

export function isArchived({ body }: Pick<StoredRecord, 'body'>): boolean {
  return body.archived !== undefined && body.archived !== null;
}

export function withoutArchive(content: RecordContent): RecordContent {
  const { archived, ...body } = content.body;
  const { key = null } = archived as unknown as Archived;
  return { ...content, key: content.key ?? key, supersededBy: null, body };
}

/** Search finds what was archived again, as it was; anything else stays as it is. */
export async function restoreArchived(parts: EngineParts, caller: Caller, record: StoredRecord): Promise<StoredRecord> {
  if (!isArchived(record)) return record;
  return changeRecord<StoredRecord>(parts, caller, {
    kind: record.kind,
    ref: record.id,
    async plan(current) {
      if (!isArchived(current)) return { changes: [], outcome: current };
      const content = withoutArchive(contentOf(current));
      const change = planQuality(parts, current, { content, reason: 'restored from the archive' });
      return { changes: [change], outcome: { ...current, ...content, revision: current.revision + 1 } };
    },
  });
}

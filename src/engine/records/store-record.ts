import type { Caller } from '../../model/caller.ts';
import { canonicalJson } from '../../model/canonical-json.ts';
import { EngineError } from '../../model/errors.ts';
import { newRecordId, type RecordId } from '../../model/ids.ts';
import type { AllowUnredacted, PacketFinding } from '../../model/packet-record.ts';
import type { RecordContent, RecordState, StoredRecord } from '../../model/record.ts';
import { authorize } from '../authorize.ts';
import type { EngineParts } from '../engine-parts.ts';
import { findCurrent } from './find-records.ts';
import { findFaults, type Kind, needShared } from './kind.ts';
import { makeSearchable } from './make-searchable.ts';
import { type RecordDraft, readDraft } from './new-content.ts';
import { putRecord } from './put-record.ts';
import { contentOf } from './record-changes.ts';
import { retryConflicts } from './retry-conflicts.ts';
import { screenRecord } from './screen-record.ts';

export interface StoreRecordInput extends RecordDraft {
  /** Of a kind that is screened: secrets that may be stored all the same. */
  allowUnredacted?: AllowUnredacted;
}

export type StoreRecordOutcome =
  /** `updated`: its key was in use. `unchanged`: the same is there already, and nothing was written. */
  | { outcome: 'stored' | 'updated' | 'unchanged'; record: RecordState; warnings: string[] }
  /** Nothing was stored: these look like secrets, and the caller has not allowed them. */
  | { outcome: 'unredacted'; findings: readonly PacketFinding[] };

/** Stores a record of any kind that has no rules of its own. Under a key that is in use it takes the place of what is there. */
export async function storeRecord(
  parts: EngineParts,
  caller: Caller,
  { allowUnredacted, ...draft }: StoreRecordInput,
): Promise<StoreRecordOutcome> {
  const { space } = caller;
  authorize(caller, 'write', space);
  const kind = needShared(parts.kinds, draft.kind, 'store');
  const now = parts.clock.now();
  const content = readDraft(parts, draft, caller, now);
  const id = newRecordId(now);
  await refuseFaults(kind, { ...content, id });
  const findings = await screenRecord(kind, content, allowUnredacted);
  if (findings.length > 0) return { outcome: 'unredacted', findings };
  const { passages, vectors, warnings } = await makeSearchable(parts, content);
  return retryConflicts(async () => {
    const known = await findKnown(parts, caller, content);
    if (known !== null && isSame(known, content)) return { outcome: 'unchanged', record: known, warnings };
    const put = known === null ? content : { ...content, createdAt: known.createdAt };
    const unlessDuplicate = content.key === null;
    const record = await putRecord(parts, caller, {
      id: known?.id ?? id,
      content: put,
      known,
      passages,
      vectors,
      unlessDuplicate,
    });
    return record === null ? null : { outcome: known === null ? 'stored' : 'updated', record, warnings };
  });
}

export async function refuseFaults(kind: Kind, record: RecordContent & { id: RecordId }): Promise<void> {
  const faults = await findFaults(kind, record);
  if (faults.length === 0) return;
  throw new EngineError('invalid_input', `This is no sound ${kind.name}: ${faults.join('; ')}.`, {
    details: { field: 'body' },
  });
}

/** What has the same name, or without one the very same text. */
async function findKnown(
  { store }: EngineParts,
  { space }: Caller,
  content: RecordContent,
): Promise<StoredRecord | null> {
  const { kind, project, key, contentHash } = content;
  return findCurrent(store, space, { kind, project, ...(key === null ? { contentHash } : { key }) });
}

function isSame(known: StoredRecord, content: RecordContent): boolean {
  const { createdAt, updatedAt, source, trust } = known;
  return (
    content.key === null ||
    canonicalJson(contentOf(known)) === canonicalJson({ ...content, createdAt, updatedAt, source, trust })
  );
}

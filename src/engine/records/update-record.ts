import type { Caller } from '../../model/caller.ts';
import { canonicalJson } from '../../model/canonical-json.ts';
import type { JsonObject } from '../../model/json.ts';
import type { UpdatableValues } from '../../model/memory-fields.ts';
import type { AllowUnredacted, PacketFinding } from '../../model/packet-record.ts';
import type { RecordContent, RecordKind, StoredRecord } from '../../model/record.ts';
import type { EngineParts } from '../engine-parts.ts';
import { type ChangePlan, changeRecord, planContent } from './change-record.ts';
import { checkContent, checkText, checkValidity, readCheckedTags, readLabel } from './check-text.ts';
import { needShared } from './kind.ts';
import { createSearchableMaker, type SearchableMaker } from './make-searchable.ts';
import { originOf } from './origin.ts';
import { mergeJsonObject } from './read-json-object.ts';
import { readChangedFields } from './read-plain-fields.ts';
import { contentOf } from './record-changes.ts';
import { screenRecord } from './screen-record.ts';
import { refuseFaults } from './store-record.ts';

export interface UpdateRecordInput extends Omit<UpdatableValues, 'metadata' | 'createdAt'> {
  kind: RecordKind;
  ref: string;
  title?: string | null;
  /** Merged into what is there; a null value removes its key. */
  body?: JsonObject;
  reason?: string;
  /** Only if the record is still at this revision. */
  revision?: number;
  allowUnredacted?: AllowUnredacted;
}

export type UpdateRecordOutcome =
  | { outcome: 'updated' | 'unchanged'; record: StoredRecord; changed: string[]; warnings: string[] }
  | { outcome: 'unredacted'; findings: readonly PacketFinding[] };

/** Changes a record of any kind that has no rules of its own. */
export async function updateRecord(
  parts: EngineParts,
  caller: Caller,
  input: UpdateRecordInput,
): Promise<UpdateRecordOutcome> {
  needShared(parts.kinds, input.kind, 'update');
  if (input.reason !== undefined) checkText('reason', input.reason);
  const make = createSearchableMaker(parts);
  return changeRecord(parts, caller, {
    ...input,
    plan: (record) => planUpdate(parts, caller, { record, input, make }),
  });
}

interface Work {
  record: StoredRecord;
  input: UpdateRecordInput;
  make: SearchableMaker;
}

async function planUpdate(
  parts: EngineParts,
  caller: Caller,
  { record, input, make }: Work,
): Promise<ChangePlan<UpdateRecordOutcome>> {
  const content = parts.kinds.need(input.kind).derive(applyInput(record, input));
  const changed = listChanged(contentOf(record), content);
  if (changed.length === 0) return { changes: [], outcome: { outcome: 'unchanged', record, changed, warnings: [] } };
  const kind = parts.kinds.need(record.kind);
  checkContent(content.content, parts.settings.maxContentChars);
  await refuseFaults(kind, { ...content, id: record.id });
  const findings = await screenRecord(kind, content, input.allowUnredacted);
  if (findings.length > 0) return { changes: [], outcome: { outcome: 'unredacted', findings } };
  if (content.contentHash !== record.contentHash) Object.assign(content, originOf(caller, record.source.host));
  content.updatedAt = parts.clock.now();
  const { change, ...planned } = await planContent(parts, record, { content, make, reason: input.reason });
  return { changes: [change], outcome: { outcome: 'updated', changed, ...planned } };
}

function applyInput(
  record: StoredRecord,
  { title, content, type, tags, body, ...input }: UpdateRecordInput,
): RecordContent {
  const applied: RecordContent = { ...contentOf(record), ...readChangedFields(input) };
  if (title !== undefined) applied.title = title;
  if (content !== undefined) applied.content = content;
  if (type !== undefined) applied.type = readLabel('type', type) ?? applied.type;
  if (tags !== undefined) applied.tags = readCheckedTags(tags);
  if (body !== undefined) applied.body = mergeJsonObject('body', applied.body, body);
  checkText('title', applied.title ?? '');
  checkValidity(applied.validFrom, applied.validUntil);
  return applied;
}

/** What the caller can see: a hash follows from the text. */
function listChanged(before: RecordContent, after: RecordContent): string[] {
  const names = Object.keys(after) as (keyof RecordContent)[];
  return names.filter((name) => name !== 'contentHash' && canonicalJson(before[name]) !== canonicalJson(after[name]));
}

import type { Caller } from '../../model/caller.ts';
import { canonicalJson } from '../../model/canonical-json.ts';
import type { Instant } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import type { UpdateMemoryInput } from '../../model/memory.ts';
import { UPDATABLE_FIELDS, type UpdatableField } from '../../model/memory-fields.ts';
import type { RecordContent, StoredRecord } from '../../model/record.ts';
import type { EngineSettings } from '../engine-settings.ts';
import { checkContent, checkInstant, checkValidity, readCheckedTags, readLabel } from '../records/check-text.ts';
import { originOf } from '../records/origin.ts';
import { mergeJsonObject, readJsonObject } from '../records/read-json-object.ts';
import { readChangedFields } from '../records/read-plain-fields.ts';
import { contentOf } from '../records/record-changes.ts';
import { memoryKind } from './memory-kind.ts';
import { orUntagged } from './memory-tags.ts';
import { resolveType } from './resolve-type.ts';

/** Fields of a memory itself: metadata cannot shadow them. */
const PROTECTED_KEYS: ReadonlySet<string> = new Set([
  'content',
  'content_hash',
  'tags',
  'memory_type',
  'type',
  'metadata',
  'embedding',
  'created_at',
  'updated_at',
  'created_at_iso',
  'updated_at_iso',
]);

export interface AppliedUpdate {
  content: RecordContent;
  /** The names of the fields that differ from before. */
  changed: string[];
  warnings: string[];
}

/** The memory as it would be after the update. Metadata alone leaves updatedAt where it is, unless the caller says otherwise. */
export function applyUpdate(
  record: StoredRecord,
  input: UpdateMemoryInput,
  by: { caller: Caller; settings: EngineSettings; now: Instant },
): AppliedUpdate {
  const warnings: string[] = [];
  const content: RecordContent = { ...contentOf(record), ...readChangedFields(input) };
  if (input.content !== undefined && input.content !== record.content) {
    checkContent(input.content, by.settings.maxContentChars);
    Object.assign(content, { content: input.content, ...originOf(by.caller, record.source.host) });
  }
  const type = readLabel('type', input.type);
  if (type !== null) {
    const { warning } = resolveType(type, by.settings.memoryTypes);
    if (warning !== null) warnings.push(warning);
    content.type = type;
  }
  if (input.tags !== undefined) content.tags = orUntagged(readCheckedTags(input.tags));
  if (input.metadata !== undefined)
    content.body = { ...record.body, metadata: updateMetadata(record, input.metadata, warnings) };
  if (input.createdAt !== undefined) {
    checkInstant('createdAt', input.createdAt);
    if (input.preserveTimestamps === false) content.createdAt = input.createdAt;
    else warnings.push('createdAt was left alone: it is only set together with preserveTimestamps: false.');
  }
  checkValidity(content.validFrom, content.validUntil);
  const changed = UPDATABLE_FIELDS.filter((field) => comparable(field, record) !== comparable(field, content));
  const seen = changed.some((field) => field !== 'metadata');
  if (seen || (changed.length > 0 && input.preserveTimestamps === false)) content.updatedAt = by.now;
  return { content: memoryKind.derive(content), changed, warnings };
}

function updateMetadata(record: StoredRecord, added: JsonObject, warnings: string[]): JsonObject {
  const refused = Object.keys(added).filter((key) => PROTECTED_KEYS.has(key));
  if (refused.length > 0)
    warnings.push(`Left out of the metadata, since a memory has fields of these names: ${refused.join(', ')}.`);
  const allowed = Object.entries(readJsonObject('metadata', added)).filter(([key]) => !PROTECTED_KEYS.has(key));
  return mergeJsonObject('metadata', record.body.metadata as JsonObject, Object.fromEntries(allowed));
}

function comparable(field: UpdatableField, content: RecordContent): string {
  return canonicalJson(field === 'metadata' ? content.body[field] : content[field]);
}

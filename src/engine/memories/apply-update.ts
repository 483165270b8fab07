import type { Caller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { Instant } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import { canonicalJson } from '../../model/json-text.ts';
import type { UpdateMemoryInput } from '../../model/memory.ts';
import { hashContent, type RecordContent, type StoredRecord } from '../../model/record.ts';
import type { EngineSettings } from '../engine.ts';
import { checkContent, checkFraction, checkInstant, checkValidity, readLabel } from './check-text.ts';
import { orUntagged, readCheckedTags } from './choose-tags.ts';
import { chooseType } from './choose-type.ts';
import { mergeMetadata, readMetadata } from './read-metadata.ts';
import { contentOf } from './record-changes.ts';
import { stamp } from './stamp.ts';

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

const FIELDS = [
  'content',
  'type',
  'tags',
  'metadata',
  'project',
  'quality',
  'validFrom',
  'validUntil',
  'createdAt',
] as const;

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
  const content: RecordContent = { ...contentOf(record), ...readScalars(input) };
  if (input.content !== undefined && input.content !== record.content) {
    checkContent(input.content, by.settings.maxContentChars);
    Object.assign(content, {
      content: input.content,
      contentHash: hashContent(input.content),
      ...stamp(by.caller, record.source.host),
    });
  }
  const type = readLabel('type', input.type);
  if (type !== null) {
    const { warning } = chooseType(type, by.settings.memoryTypes);
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
  const changed = FIELDS.filter((field) => !isEqual(field, record, content));
  const seen = changed.some((field) => field !== 'metadata');
  if (seen || (changed.length > 0 && input.preserveTimestamps === false)) content.updatedAt = by.now;
  return { content, changed, warnings };
}

export function checkIsAt(record: StoredRecord, revision: number | undefined): void {
  if (revision === undefined || record.revision === revision) return;
  throw new EngineError('conflict', `The memory is at revision ${record.revision} by now.`, {
    hint: 'Read it again and decide anew.',
    details: { id: record.id, expected: revision, actual: record.revision },
  });
}

function readScalars(input: UpdateMemoryInput): Partial<RecordContent> {
  const scalars: Partial<RecordContent> = {};
  if (input.project !== undefined) scalars.project = readLabel('project', input.project);
  if (input.quality !== undefined) {
    checkFraction('quality', input.quality);
    scalars.quality = input.quality;
  }
  if (input.validFrom !== undefined) scalars.validFrom = input.validFrom;
  if (input.validUntil !== undefined) scalars.validUntil = input.validUntil;
  return scalars;
}

function updateMetadata(record: StoredRecord, added: JsonObject, warnings: string[]): JsonObject {
  const refused = Object.keys(added).filter((key) => PROTECTED_KEYS.has(key));
  if (refused.length > 0)
    warnings.push(`Left out of the metadata, since a memory has fields of these names: ${refused.join(', ')}.`);
  return mergeMetadata(record.body.metadata as JsonObject, readMetadata(added), PROTECTED_KEYS);
}

function isEqual(field: (typeof FIELDS)[number], a: RecordContent, b: RecordContent): boolean {
  if (field === 'metadata') return canonicalJson(a.body) === canonicalJson(b.body);
  if (field === 'tags') return a.tags.join(',') === b.tags.join(',');
  return a[field] === b[field];
}

import type { EngineParts } from '../../engine/engine-parts.ts';
import { changeOrigin } from '../../engine/records/change-origin.ts';
import { type ChangePlan, changeRecord, planContent } from '../../engine/records/change-record.ts';
import {
  checkContent,
  checkInstant,
  checkText,
  checkValidity,
  invalid,
  readCheckedTags,
  readLabel,
} from '../../engine/records/check-text.ts';
import { createSearchableMaker, type SearchableMaker } from '../../engine/records/make-searchable.ts';
import { mergeJsonObject, readJsonObject } from '../../engine/records/read-json-object.ts';
import { readChangedFields } from '../../engine/records/read-plain-fields.ts';
import { contentOf, createChange, supersedeChange, supersedesRelation } from '../../engine/records/record-changes.ts';
import { openRedactor, type Redactor } from '../../engine/records/redact-content.ts';
import type { Caller } from '../../model/caller.ts';
import { canonicalJson } from '../../model/canonical-json.ts';
import { EngineError } from '../../model/errors.ts';
import { newRecordId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import { UPDATABLE_FIELDS, type UpdatableField } from '../../model/memory-fields.ts';
import type { RecordContent, StoredRecord } from '../../model/record.ts';
import { describeRedactions, joinRedactions, type Redaction } from '../../model/redaction.ts';
import type { UpdateMemoryInput, UpdateOutcome } from './memory.ts';
import { memoryKind } from './memory-kind.ts';
import { orUntagged, resolveType } from './new-memory.ts';
import { newMemory } from './plan-store.ts';
import { toMemory } from './to-memory.ts';

export async function updateMemory(
  parts: EngineParts,
  caller: Caller,
  input: UpdateMemoryInput,
): Promise<UpdateOutcome> {
  const { ref, revision, reason, versioned, trust } = input;
  if (versioned === true && input.content === undefined) throw invalid('content', 'is required for a versioned update');
  if (reason !== undefined) checkText('reason', reason);
  const make = createSearchableMaker(parts);
  const redactor = await openRedactor(parts, caller, input.noRedact);
  const because = reason === undefined ? undefined : redactor.value('reason', reason);
  return changeRecord<UpdateOutcome>(parts, caller, {
    kind: memoryKind.name,
    ref,
    anyKindById:
      trust !== undefined && UPDATABLE_FIELDS.every((field) => field === 'trust' || input[field] === undefined),
    revision,
    async plan(record) {
      if (input.content !== undefined) await redactor.readAhead(input.content);
      const applied = applyUpdate(record, input, { parts, caller, redactor });
      const redactions = [...applied.redactions, ...(because?.redactions ?? [])];
      const update = { ...applied, redactions, warnings: [...applied.warnings, ...describeRedactions(redactions)] };
      const { changed, warnings } = update;
      if (changed.length === 0)
        return {
          changes: [],
          outcome: { outcome: 'unchanged', memory: toMemory(record), changed, previous: null, warnings, redactions },
        };
      const plan = versioned === true ? planVersion : planUpdate;
      return plan(parts, record, { update, make, reason: because?.value });
    },
  });
}

interface Work {
  update: AppliedUpdate;
  make: SearchableMaker;
  reason: string | undefined;
}

async function planUpdate(
  parts: EngineParts,
  record: StoredRecord,
  { update, make, reason }: Work,
): Promise<ChangePlan<UpdateOutcome>> {
  const { content, changed, warnings, redactions, raisesTrust } = update;
  const planned = await planContent(parts, record, { content, make, reason, raisesTrust });
  return {
    changes: [planned.change],
    outcome: {
      outcome: 'updated',
      memory: toMemory(planned.record),
      changed,
      previous: null,
      warnings: [...warnings, ...planned.warnings],
      redactions,
    },
  };
}

/** The new text becomes a memory of its own with the old one's labels; the old one stays readable behind it. */
async function planVersion(
  parts: EngineParts,
  record: StoredRecord,
  { update, make, reason }: Work,
): Promise<ChangePlan<UpdateOutcome>> {
  if (record.supersededBy !== null) {
    throw new EngineError('conflict', 'This memory already has a newer version.', {
      hint: 'Update the newer one.',
      details: { supersededBy: record.supersededBy },
    });
  }
  const now = parts.clock.now();
  const id = newRecordId(now);
  const content = { ...update.content, createdAt: now, updatedAt: now };
  const text = (await make([content]))[0]!;
  return {
    changes: [
      await supersedeChange(parts, record, { id, at: now, reason }),
      createChange(id, content, { ...text, unlessDuplicate: true }),
      { op: 'relate', relation: supersedesRelation(id, record.id, now) },
    ],
    outcome: {
      outcome: 'versioned',
      memory: newMemory(record.space, id, content),
      changed: update.changed,
      previous: record.id,
      warnings: [...update.warnings, ...text.warnings],
      redactions: update.redactions,
    },
  };
}

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

interface AppliedUpdate {
  content: RecordContent;
  /** The names of the fields that differ from before. */
  changed: string[];
  warnings: string[];
  redactions: Redaction[];
  raisesTrust: boolean;
}

/** The memory as it would be after the update. Metadata alone leaves updatedAt where it is, unless the caller says otherwise. */
function applyUpdate(
  record: StoredRecord,
  input: UpdateMemoryInput,
  { parts, caller, redactor }: { parts: EngineParts; caller: Caller; redactor: Redactor },
): AppliedUpdate {
  const { settings, clock, kinds } = parts;
  const warnings: string[] = [];
  const given: RecordContent = { ...contentOf(record), ...readChangedFields(input) };
  if (input.content !== undefined && input.content !== record.content) {
    checkContent(input.content, settings.maxContentChars);
    given.content = input.content;
  }
  const type = readLabel('type', input.type);
  if (type !== null) {
    const { warning } = resolveType(type, settings.memoryTypes);
    if (warning !== null) warnings.push(warning);
    given.type = type;
  }
  const tags = redactor.value('tags', input.tags ?? null);
  if (input.tags !== undefined) given.tags = orUntagged(readCheckedTags(tags.value));
  if (input.metadata !== undefined)
    given.body = { ...record.body, metadata: updateMetadata(record, input.metadata, warnings) };
  if (input.createdAt !== undefined) {
    checkInstant('createdAt', input.createdAt);
    if (input.preserveTimestamps === false) given.createdAt = input.createdAt;
    else warnings.push('createdAt was ignored: it can only be set together with preserveTimestamps: false.');
  }
  checkValidity(given.validFrom, given.validUntil);
  const { raisesTrust, ...origin } = changeOrigin(record, kinds.need(record.kind).derive(given), {
    caller,
    said: input.trust,
  });
  const { content, ...found } = redactor.content({ ...given, ...origin }, record);
  const redactions = joinRedactions(tags.redactions, found.redactions);
  const changed = UPDATABLE_FIELDS.filter((field) => comparable(field, record) !== comparable(field, content));
  const seen = changed.some((field) => field !== 'metadata');
  if (seen || (changed.length > 0 && input.preserveTimestamps === false)) content.updatedAt = clock.now();
  return { content: kinds.need(record.kind).derive(content), changed, warnings, redactions, raisesTrust };
}

function updateMetadata(record: StoredRecord, added: JsonObject, warnings: string[]): JsonObject {
  const refused = Object.keys(added).filter((key) => PROTECTED_KEYS.has(key));
  if (refused.length > 0)
    warnings.push(
      `Left out of the metadata, because a memory has its own fields with these names: ${refused.join(', ')}.`,
    );
  const allowed = Object.entries(readJsonObject('metadata', added)).filter(([key]) => !PROTECTED_KEYS.has(key));
  return mergeJsonObject('metadata', record.body.metadata as JsonObject, Object.fromEntries(allowed));
}

function comparable(field: UpdatableField, content: RecordContent): string {
  return canonicalJson(field === 'metadata' ? content.body[field] : content[field]);
}

import type { EngineSettings } from '../../engine/engine-settings.ts';
import { checkContent, checkText, invalid, readCheckedTags, readLabel } from '../../engine/records/check-text.ts';
import { readJsonObject } from '../../engine/records/read-json-object.ts';
import type { Redactor } from '../../engine/records/redact-content.ts';
import { makeContent, readGiven } from '../../engine/records/store-record.ts';
import type { Caller } from '../../model/caller.ts';
import { type Instant, newRecordId, type RecordId } from '../../model/ids.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { DEFAULT_TAG } from '../../model/memory.ts';
import { DEFAULT_MEMORY_TYPE, listMemoryTypes, type MemoryTypes } from '../../model/memory-types.ts';
import type { RecordContent } from '../../model/record.ts';
import { describeRedactions, firstRedactions, joinRedactions, type Redaction } from '../../model/redaction.ts';
import { readTags, type TagsInput } from '../../model/tags.ts';
import { isWithinOneEdit } from '../../search/text/edit-distance.ts';
import type { OnDuplicate, StoreMemoryInput } from './memory.ts';
import { memoryKind } from './memory-kind.ts';
import { type ReceiptRequest, receiptFor } from './receipts.ts';

/** A checked new memory that has not been compared with what is there. */
export interface NewMemory {
  /** Its id if it becomes a memory of its own. */
  id: RecordId;
  content: RecordContent;
  policy: OnDuplicate;
  /** Turns of a conversation resemble each other by nature. */
  skipsNearCheck: boolean;
  /** What the caller said itself; the rest are defaults, which do not overwrite a memory that is there. */
  given: { type: boolean; tags: boolean; metadata: boolean; quality: boolean };
  receipt: ReceiptRequest | null;
  warnings: string[];
  redactions: Redaction[];
}

/** Throws for input that cannot be stored; reads and writes nothing. */
export function readNewMemory(
  caller: Caller,
  input: StoreMemoryInput,
  { settings, now, redactor }: { settings: EngineSettings; now: Instant; redactor: Redactor },
): NewMemory {
  checkContent(input.content, settings.maxContentChars);
  const { redactions: inTags, ...labels } = redactTags(input, redactor);
  const { tags, metadata, type } = readLabels({ ...input, ...labels }, caller);
  const drafted = makeContent(memoryKind, now, {
    ...readGiven(input, caller),
    type: type ?? DEFAULT_MEMORY_TYPE,
    content: input.content,
    tags,
    body: { metadata },
  });
  const { content, ...found } = redactor.content(drafted);
  const redactions = joinRedactions(inTags, found.redactions);
  const { warning } = resolveType(content.type, settings.memoryTypes);
  const { idempotencyKey } = input;
  return {
    id: newRecordId(now),
    content,
    policy: input.onDuplicate ?? settings.onDuplicate,
    skipsNearCheck: content.conversation !== null || content.session !== null || content.type === 'session',
    given: {
      type: type !== null,
      tags: hasTags(input),
      metadata: Object.keys(metadata).length > 0,
      quality: input.quality !== undefined,
    },
    receipt: idempotencyKey === undefined ? null : receiptFor(caller, input, readIdempotencyKey(idempotencyKey)),
    warnings: [...(warning === null ? [] : [warning]), ...describeRedactions(redactions)],
    redactions: firstRedactions(redactions),
  };
}

/** Before they are folded to lower case, which hides what they are. */
function redactTags({ tags, metadata }: StoreMemoryInput, redactor: Redactor) {
  const said = redactor.value('tags', tags ?? null);
  const inner = redactor.value('metadata.tags', metadata?.tags ?? null);
  return {
    tags: said.value,
    metadata: inner.value === null ? metadata : { ...metadata, tags: inner.value },
    redactions: [...said.redactions, ...inner.redactions],
  };
}

function readLabels(input: StoreMemoryInput, caller: Caller) {
  const { tags: said, metadata } = collectTags(input.tags, readJsonObject('metadata', input.metadata ?? {}));
  const tags = orUntagged(said, tagsOfWriter(caller));
  const given = readLabel('type', input.type);
  if (given !== null || typeof metadata.type !== 'string') return { tags, metadata, type: given };
  const { type, ...rest } = metadata;
  return { tags, metadata: rest, type: readLabel('metadata.type', String(type)) };
}

/** Who writes can be searched for: the agent and the machine, where a credential or a header names them. */
function tagsOfWriter({ agent, host }: Caller): string[] {
  return readTags([
    ...(agent === undefined ? [] : [`agent:${agent}`]),
    ...(host === undefined ? [] : [`source:${host}`]),
  ]);
}

function hasTags(input: StoreMemoryInput): boolean {
  return (input.tags !== undefined && input.tags !== null) || input.metadata?.tags !== undefined;
}

function readIdempotencyKey(key: string): string {
  checkText('idempotencyKey', key);
  if (key === '' || key.length > 200) throw invalid('idempotencyKey', 'must have 1 to 200 characters');
  return key;
}

/** The tags of a call and those that older clients put into the metadata, as one list; they leave the metadata. */
function collectTags(tags: TagsInput, metadata: JsonObject): { tags: string[]; metadata: JsonObject } {
  const inner = asTags(metadata.tags);
  const rest =
    inner === null ? metadata : Object.fromEntries(Object.entries(metadata).filter(([key]) => key !== 'tags'));
  return { tags: orUntagged(readCheckedTags(tags), readCheckedTags(inner)), metadata: rest };
}

/** A union without repetition; a memory that has no tag carries the default one. */
export function orUntagged(...lists: readonly (readonly string[])[]): string[] {
  const all = readTags(lists.flat().filter((tag) => tag !== DEFAULT_TAG));
  return all.length === 0 ? [DEFAULT_TAG] : all;
}

function asTags(value: Json | undefined): TagsInput {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return null;
  return value.filter((item) => typeof item === 'string' || typeof item === 'number').map(String);
}

/** An unknown type is kept as given; the warning says so and how to make it known. */
export function resolveType(type: string, types: MemoryTypes): { warning: string | null } {
  const known = listMemoryTypes(types);
  if (known.includes(type)) return { warning: null };
  const nearest = nearestType(type, known);
  const suggestion = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  return {
    warning: `The type "${type}" is not a known type; it was stored as given.${suggestion} The setting memory_types adds types.`,
  };
}

function nearestType(type: string, known: readonly string[]): string | undefined {
  const folded = type.toLowerCase().replaceAll(/[\s-]+/g, '_');
  return (
    known.find((candidate) => candidate === folded) ?? known.find((candidate) => isWithinOneEdit(candidate, folded))
  );
}

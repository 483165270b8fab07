import { shorten } from '../model/cut-text.ts';
import { describeLeftOut } from '../model/damage.ts';
import { cleanText } from '../model/hidden-characters.ts';
import type { Instant } from '../model/ids.ts';
import { describeAge, toIso } from '../model/instant.ts';
import type { Memory } from '../model/memory.ts';
import { DEFAULT_TAG, listLabels } from '../model/memory.ts';
import { DEFAULT_MEMORY_TYPE } from '../model/memory-types.ts';
import { toWire } from '../model/wire.ts';
import { firstLine } from '../search/text/make-snippet.ts';
import { describeOrigin, type Reader } from './describe-origin.ts';

/** Where nobody has said anything. */
export const USUAL_QUALITY = 0.5;
/** Enough of a memory to recognise it: as a list shows it, and as an answer repeats it. */
const PREVIEW_CHARS = 120;
const TITLE_CHARS = 80;

/** A memory as MCP shows it: times as ISO text, what is empty or usual left out. `maxChars` cuts the content and says so with `whole: false`. */
export function describeMemory(
  memory: Memory,
  reader: Reader,
  maxChars = Number.POSITIVE_INFINITY,
): Record<string, unknown> {
  return {
    ...describeLabels(memory),
    ...Object.fromEntries(listLabels(memory).map(([{ wire }, value]) => [wire, value])),
    age: describeAge(memory.createdAt, reader.now),
    created_at: toIso(memory.createdAt),
    updated_at: toIso(memory.updatedAt),
    valid_from: optionalTime(memory.validFrom),
    valid_until: optionalTime(memory.validUntil),
    superseded_by: memory.supersededBy ?? undefined,
    archived: memory.archived === null ? undefined : toWire(memory.archived),
    deleted_at: optionalTime(memory.deletedAt),
    ...describeOrigin(memory, reader),
    quality: memory.quality === USUAL_QUALITY ? undefined : memory.quality,
    revision: memory.revision,
    metadata: Object.keys(memory.metadata).length === 0 ? undefined : memory.metadata,
    content_hash: memory.contentHash,
    ...describeContent(memory, maxChars),
  };
}

/** One of many: what tells it from the others. `memory_get` says the rest. */
export function listMemory(memory: Memory, reader: Reader, maxChars: number): Record<string, unknown> {
  const { id, key, type, tags, project } = memory;
  return {
    id,
    key: key ?? undefined,
    type: type === DEFAULT_MEMORY_TYPE ? undefined : type,
    tags: tags.length === 1 && tags[0] === DEFAULT_TAG ? undefined : unlessEmpty(tags),
    project: project ?? undefined,
    age: describeOlder(memory.createdAt, reader.now),
    valid_until: optionalTime(memory.validUntil),
    superseded_by: memory.supersededBy ?? undefined,
    deleted_at: optionalTime(memory.deletedAt),
    ...describeOrigin(memory, reader),
    metadata: Object.keys(memory.metadata).length === 0 ? undefined : memory.metadata,
    ...describeContent(memory, maxChars),
  };
}

/** What all of several have in common, said once, and the items without it. */
export function sayOnce<Item extends Record<string, unknown>>(
  items: readonly Item[],
  field: keyof Item & string,
): { shared: Record<string, unknown>; items: Item[] } {
  const value = items[0]?.[field];
  if (items.length < 2 || value === undefined || items.some((item) => item[field] !== value))
    return { shared: {}, items: [...items] };
  return { shared: { [field]: value }, items: items.map((item) => ({ ...item, [field]: undefined })) };
}

const DAY_MS = 86_400_000;

/** What is of today needs no word among many. */
export function describeOlder(at: Instant, now: Instant): string | undefined {
  return now - at < DAY_MS ? undefined : describeAge(at, now);
}

/** For answers about many memories that the caller has just acted on. */
export function previewMemory(memory: Memory, reader: Reader): Record<string, unknown> {
  return {
    ...describeLabels(memory),
    ...describeOrigin(memory, reader),
    age: describeAge(memory.createdAt, reader.now),
    created_at: toIso(memory.createdAt),
    content_hash: memory.contentHash,
    ...describeContent(memory, PREVIEW_CHARS),
  };
}

/** For the answer to a write: the caller knows the content, and `title` shows what has become of it. */
export function describeWritten(memory: Memory, reader: Reader): Record<string, unknown> {
  const title = cleanText(firstLine(memory.content, TITLE_CHARS)) || undefined;
  return {
    ...describeLabels(memory),
    title,
    ...describeOrigin(memory, reader),
    valid_until: optionalTime(memory.validUntil),
    revision: memory.revision,
    content_hash: memory.contentHash,
  };
}

function describeLabels({ id, key, type, tags, project }: Memory): Record<string, unknown> {
  return { id, key: key ?? undefined, type, tags, project: project ?? undefined };
}

function describeContent({ content }: Memory, maxChars: number): Record<string, unknown> {
  return content.length <= maxChars ? { content } : { whole: false, content: shorten(content, maxChars) };
}

function optionalTime(instant: Instant | null): string | undefined {
  return instant === null ? undefined : toIso(instant);
}

export function noticesOfDamage(refs: readonly string[]): string[] {
  return refs.length === 0 ? [] : [describeLeftOut(refs)];
}

/** How a sentence about several memories ends. */
export function butMissing(missing: readonly string[]): string {
  return missing.length === 0 ? '' : `, ${missing.length} not there`;
}

/** Left out where there is nothing to say. */
export function unlessEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

import type { Json, JsonObject } from '../../model/json.ts';
import { readTags, type TagsInput } from '../../model/tags.ts';
import { DEFAULT_TAG } from '../../model/to-memory.ts';
import { readCheckedTags } from '../records/check-text.ts';

/** The tags of a call and those that older clients put into the metadata, as one list; they leave the metadata. */
export function collectTags(tags: TagsInput, metadata: JsonObject): { tags: string[]; metadata: JsonObject } {
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

import { cleanName } from './hidden-characters.ts';
import { parseJson } from './json-text.ts';

const MAX_TAGS = 100;
const MAX_TAG_LENGTH = 100;
const MAX_JSON_TAGS_LENGTH = 4096;

export type TagsInput = readonly string[] | string | null | undefined;

/** A list, a comma-separated string or a JSON array in a string become one clean list. Spaces and wildcards are ordinary characters. */
export function readTags(input: TagsInput): string[] {
  const seen = new Set<string>();
  for (const raw of splitTags(input)) {
    const tag = cleanName(raw).toLowerCase().replaceAll(',', '-').slice(0, MAX_TAG_LENGTH).trim();
    if (tag !== '' && seen.size < MAX_TAGS) seen.add(tag);
  }
  return [...seen];
}

/** As they were written: what is only passed on must not be folded yet, which would hide a secret from whoever looks for one. */
export function splitTags(input: TagsInput): readonly string[] {
  if (input === null || input === undefined) return [];
  if (typeof input !== 'string') return input;
  const text = input.trim();
  if (text.startsWith('[') && text.length <= MAX_JSON_TAGS_LENGTH) {
    const parsed = parseJson(text);
    if (isListOfTexts(parsed)) return parsed;
  }
  return text.split(',');
}

export function isListOfTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

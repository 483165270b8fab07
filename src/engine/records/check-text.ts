import { EngineError } from '../../model/errors.ts';
import { cleanName } from '../../model/hidden-characters.ts';
import { isInstant } from '../../model/instant.ts';
import { readTags, type TagsInput } from '../../model/tags.ts';

const MAX_LABEL_CHARS = 200;

/** Databases and other languages cannot hold every JavaScript string: NUL and half a surrogate pair are refused, not repaired. */
export function checkText(field: string, text: string): void {
  if (text.includes('\0')) throw invalid(field, 'holds a NUL character');
  if (!text.isWellFormed()) throw invalid(field, 'contains a lone surrogate, which is not valid Unicode');
}

export function checkContent(content: string, maxChars: number): void {
  checkText('content', content);
  if (content.trim() === '') throw invalid('content', 'is empty');
  if (content.length <= maxChars) return;
  throw new EngineError('too_large', `The content has ${content.length} characters; the limit is ${maxChars}.`, {
    hint: 'Store it in parts, or raise the setting max_content_chars.',
    details: { field: 'content', limit: maxChars, value: content.length },
  });
}

/** A short name: as it is seen, not empty. */
export function readLabel(field: string, text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null;
  checkText(field, text);
  const label = cleanName(text);
  if (label === '') throw invalid(field, 'is empty');
  if (label.length > MAX_LABEL_CHARS) {
    const message = `The field "${field}" has ${label.length} characters; the limit is ${MAX_LABEL_CHARS}.`;
    throw new EngineError('too_large', message, { details: { field, limit: MAX_LABEL_CHARS, value: label.length } });
  }
  return label;
}

export function checkFraction(field: string, value: number): void {
  if (!(value >= 0 && value <= 1)) throw invalid(field, 'must be a number from 0 to 1');
}

export function checkInstant(field: string, value: number | null): void {
  if (value !== null && !isInstant(value))
    throw invalid(field, 'must be a time in milliseconds since 1970, in the years 1 to 9999');
}

export function checkValidity(from: number | null, until: number | null): void {
  checkInstant('validFrom', from);
  checkInstant('validUntil', until);
  if (from !== null && until !== null && from >= until) throw invalid('validUntil', 'must be later than validFrom');
}

export function invalid(field: string, fault: string): EngineError {
  return new EngineError('invalid_input', `The field "${field}" ${fault}.`, { details: { field } });
}

export function readCheckedTags(input: TagsInput): string[] {
  const tags = readTags(input);
  for (const tag of tags) checkText('tags', tag);
  return tags;
}

import { escapeHiddenInJson, matchHidden, showHidden } from '../model/hidden-characters.ts';
import { isObject } from '../model/json-text.ts';

/** Stored text of any length; shown as a block whose every line is marked, so that it cannot pass for a line of ours. */
const BLOCKS: ReadonlySet<string> = new Set(['content', 'snippet']);
const PLAIN = /^[\p{L}\p{N}_.:/@+ -]*$/u;

/** The text of an answer says everything its structured form says: it is made from it, `message` first. */
export function renderText(structured: Readonly<Record<string, unknown>>): string {
  const { message, ...fields } = structured;
  const lines = typeof message === 'string' ? [message] : [];
  for (const [key, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    if (BLOCKS.has(key) && typeof value === 'string') lines.push(`${key}:`, quoteBlock(value, ''));
    else if (isListOfObjects(value))
      lines.push(`${key}:`, ...value.flatMap((item, index) => renderItem(item, index + 1)));
    else if (isListOfSentences(value))
      lines.push(`${key}:`, ...value.map((sentence) => `- ${sentence.replaceAll(/\s+/g, ' ')}`));
    else lines.push(`${key}: ${renderInline(value)}`);
  }
  return lines.join('\n');
}

function renderItem(item: Readonly<Record<string, unknown>>, number: number): string[] {
  const entries = Object.entries(item).filter(([, value]) => value !== undefined);
  const isBlock = ([key, value]: [string, unknown]): boolean => BLOCKS.has(key) && typeof value === 'string';
  const facts = entries
    .filter((entry) => !isBlock(entry))
    .map(([key, value]) => (key === 'id' ? renderInline(value) : `${key}: ${renderInline(value)}`));
  const texts = entries.filter(isBlock).map(([, value]) => String(value));
  const [only] = texts;
  // What stands behind the bar is marked as much as a line that begins with one.
  if (entries.length === 2 && 'id' in item && texts.length === 1 && only!.search(LINE_BREAK) === -1)
    return [`${number}. ${facts[0]} ${quoteBlock(only!, '')}`];
  return [`${number}. ${facts.join(' · ')}`, ...texts.map((text) => quoteBlock(text, '   '))];
}

const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;
/** Those that break no line: a client may show the text on a terminal. */
const CONTROLS = new RegExp(`(?!${LINE_BREAK.source})${matchHidden('controls').source}`, 'gu');

/** Whatever breaks a line stays as it is, and what follows it is marked. */
function quoteBlock(text: string, indent: string): string {
  return `${indent}| ${showHidden(text, CONTROLS).replace(LINE_BREAK, `$&${indent}| `)}`;
}

/** One line, whatever the value holds: what is not plain words is quoted as JSON. */
function renderInline(value: unknown): string {
  if (typeof value === 'string' && PLAIN.test(value)) return value;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value.length === 0 ? 'none' : value.map(renderInline).join(', ');
  return escapeHiddenInJson(JSON.stringify(value));
}

function isListOfObjects(value: unknown): value is Record<string, unknown>[] {
  return Array.isArray(value) && value.length > 0 && value.every(isObject);
}

/** Our own sentences (notices, warnings) read better as a list than as quoted words. */
function isListOfSentences(value: unknown): value is string[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => typeof item === 'string' && item.endsWith('.') && item.includes(' '))
  );
}

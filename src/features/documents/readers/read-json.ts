import { EngineError } from '../../../model/errors.ts';
import { isObject, measureDepth } from '../../../model/json-text.ts';
import type { DocumentSection, ReadDocument } from '../document.ts';

/** Deeper than people nest, and shallow enough to walk. */
const MAX_DEPTH = 200;
/** How deep names become headings; below, they are part of the lines. */
const HEADING_DEPTH = 2;
/** A branch of fewer characters stands under the heading above it. */
const SMALL_CHARS = 600;
const MAX_PATH_CHARS = 300;

/** Names become headings, values lines of `path: value`. */
export function readJson(source: string, name: string): Omit<ReadDocument, 'format' | 'warnings'> {
  if (measureDepth(source) > MAX_DEPTH)
    throw new EngineError('invalid_input', `${name} is nested more than ${MAX_DEPTH} levels deep.`, {
      details: { field: 'name', reason: 'too_deep', limit: MAX_DEPTH },
    });
  const value = parse(source.replace(/^\uFEFF/, ''), name);
  return { title: null, tags: [], pages: null, sections: [...sectionsOf(value, [])] };
}

/** One value a line, each at its line; a line that is no JSON is an error, as half a file would be. */
export function readJsonLines(source: string, name: string): Omit<ReadDocument, 'format' | 'warnings'> {
  const lines = source.replace(/^\uFEFF/, '').split(/\r?\n/);
  const texts = lines.map((line, i) => {
    if (line.trim() === '') return '';
    if (measureDepth(line) > MAX_DEPTH)
      throw new EngineError('invalid_input', `Line ${i + 1} of ${name} is nested too deep.`);
    return flatten(parse(line, `line ${i + 1} of ${name}`), '')
      .join('; ')
      .replaceAll('\n', ' ');
  });
  return { title: null, tags: [], pages: null, sections: [{ headings: [], text: texts.join('\n'), line: 1 }] };
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new EngineError('invalid_input', `${name} is not valid JSON.`, {
      cause,
      hint: cause instanceof Error ? cause.message.replace(/[",{].*/s, '').trim() : undefined,
      details: { field: 'name', reason: 'unreadable' },
    });
  }
}

function* sectionsOf(value: unknown, headings: readonly string[]): Generator<DocumentSection> {
  if (!isObject(value) || headings.length >= HEADING_DEPTH) {
    yield { headings, text: showValue(value) };
    return;
  }
  const small: string[] = [];
  const large: [string, unknown][] = [];
  for (const [name, item] of Object.entries(value)) {
    const lines = flatten(item, under('', name));
    if (lines.join('\n').length < SMALL_CHARS) small.push(...lines);
    else large.push([name, item]);
  }
  if (small.length > 0) yield { headings, text: small.join('\n') };
  for (const [name, item] of large) yield* sectionsOf(item, [...headings, name]);
}

/** Items of a list are set apart, so that what belongs together stays together. */
function showValue(value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => flatten(item, '').join('\n')).join('\n\n');
  return flatten(value, '').join('\n');
}

function flatten(value: unknown, path: string): string[] {
  if (Array.isArray(value))
    return value.every((item) => typeof item !== 'object' || item === null)
      ? [line(path, value.map(String).join(', '))]
      : value.flatMap((item) => flatten(item, path));
  if (isObject(value)) return Object.entries(value).flatMap(([name, item]) => flatten(item, under(path, name)));
  return [line(path, String(value))];
}

function line(path: string, value: string): string {
  return path === '' ? value : `${path}: ${value}`;
}

/** The way to a value stands before it: names of a megabyte would be there a thousand times. */
function under(path: string, name: string): string {
  const way = path === '' ? name : `${path}.${name}`;
  return way.length <= MAX_PATH_CHARS ? way : `…${way.slice(-MAX_PATH_CHARS).toWellFormed()}`;
}

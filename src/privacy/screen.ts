import { cutText } from '../model/cut-text.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { type CustomPattern, replaceCustom } from './custom-patterns.ts';
import { isHighRisk } from './high-risk.ts';
import { redactTexts, type ScreenedTexts } from './redact-texts.ts';
import { removeSpans, unwrapResult } from './remove-spans.ts';

/** Of what a tool was given, as JSON. */
export const MAX_INPUT = 4096;
/** Of what it gave back, and of a prompt or a reply. */
export const MAX_OUTPUT = 8192;
/**
 * Looked at beyond what is kept, so that a secret on the cut is seen whole. What lies further away is neither looked at nor kept: time is bounded by what is kept,
 * not by what a tool gives back.
 */
const BEYOND = 4096;
/** Of what was looked at and is not the end of the text: the last of it may hold half of a secret. */
const DOUBTFUL = 1024;

export const QUARANTINED = '[QUARANTINED: high-risk content]';
const TOO_SLOW = '[LEFT OUT: a privacy pattern took too long]';

export interface Screened<T> {
  value: T;
  /** What was replaced, removed or left out: names of rules, never values. */
  names: readonly string[];
}

interface TextOptions {
  patterns?: readonly CustomPattern[];
  max?: number;
  /** It is the result of a tool: what an agent wrapped around it goes, it stays. */
  isResult?: boolean;
  /** What was looked at before, and where it is noted what is looked at now. */
  screened?: ScreenedTexts;
}

/** Of what is kept of a long text, its end: there programs sum up, and agents say what comes next. */
const TAIL = 3072;
const GAP = '\n[…]\n';

/** A text as it may be written down: without private spans and injected blocks, with its secrets replaced, and then cut; of a long one both ends are kept. */
export function screenText(text: string, options: TextOptions = {}): Screened<string> {
  const { patterns = [], max = MAX_OUTPUT, isResult = false, screened } = options;
  const { text: open, removed } = removeSpans(isResult ? unwrapResult(text) : text);
  const tail = max < MAX_OUTPUT ? 0 : TAIL;
  const start = max - (tail === 0 ? 0 : tail + GAP.length);
  const isWhole = open.length <= max + BEYOND;
  const looked = isWhole ? open : cutText(open, start + BEYOND);
  const { value, names } = screenWhole(looked, patterns, screened);
  if (isWhole && value.length <= max) return { value, names: [...new Set([...removed, ...names])] };
  const isLastKept = !isWhole && tail > 0 && !endsInKey(open, open.length - tail - BEYOND);
  const last = isLastKept
    ? screenWhole(open.slice(-(tail + BEYOND)), patterns, screened)
    : { value: isWhole ? value : '', names: [] };
  const head = cutText(isWhole ? value : withoutDoubtfulEnd(value), start);
  const end = tail === 0 ? '' : fromPair((isWhole ? value : withoutDoubtfulStart(last.value)).slice(-tail));
  const missing = (isWhole ? value.length : open.length) - head.length - end.length;
  return {
    value: `${head}${end === '' ? '' : GAP}${end}...[truncated ${missing} chars]`,
    names: [...new Set([...removed, ...names, ...last.names])],
  };
}

const LEFT_OUT: readonly string[] = [QUARANTINED, TOO_SLOW];

function withoutDoubtfulEnd(value: string): string {
  if (LEFT_OUT.includes(value)) return value;
  return value.slice(0, lastBreak(value, Math.max(0, value.length - DOUBTFUL)));
}

const HALF_KEY = /^[^[]{0,40}\[redacted:private-key\]/;

/** The first of it may be half of a secret; so is what stands before the end of a key whose beginning is not there. */
function withoutDoubtfulStart(value: string): string {
  if (LEFT_OUT.includes(value)) return value;
  // The end of a key was seen whole and replaced, and much of the text with it.
  const half = HALF_KEY.exec(value);
  const sure = value.slice(half === null ? firstBreak(value, Math.min(DOUBTFUL, value.length)) : half[0].length);
  const ends = /-----END [^-\n]{0,60}-----/.exec(sure);
  const isHalf = ends !== null && !sure.slice(0, ends.index).includes('-----BEGIN ');
  return isHalf ? sure.slice(ends.index + ends[0].length) : sure;
}

/** A private key that begins before `at`, where nobody looks, and never ends: all that follows may be part of it. */
function endsInKey(text: string, at: number): boolean {
  const begins = text.lastIndexOf('-----BEGIN ', at);
  return begins !== -1 && !text.includes('-----END ', begins);
}

/** Without the second half of a character. */
function fromPair(text: string): string {
  const first = text.charCodeAt(0);
  return first >= 0xdc00 && first <= 0xdfff ? text.slice(1) : text;
}

const IN_TOKEN = /[\w+/=.~:%-]/;

/** The end of the last word up to there: none is parted that may be half of a secret. */
function lastBreak(text: string, at: number): number {
  for (let place = at; place > 0; place--) if (!IN_TOKEN.test(text[place - 1]!)) return place;
  return 0;
}

/** The beginning of the first word from there on. */
function firstBreak(text: string, at: number): number {
  for (let place = at; place < text.length; place++) if (!IN_TOKEN.test(text[place]!)) return place;
  return text.length;
}

function screenWhole(
  text: string,
  patterns: readonly CustomPattern[],
  screened: ScreenedTexts | undefined,
): Screened<string> {
  const { value, redactions } = redactTexts(text, 'text', undefined, screened);
  const custom = replaceCustom(value, patterns);
  const names = [...redactions.filter(({ replaced }) => replaced).map(({ kind }) => kind), ...custom.names];
  if (custom.isTooSlow) return { value: TOO_SLOW, names: [...names, 'slow-pattern'] };
  if (isHighRisk(custom.text)) return { value: QUARANTINED, names: [...names, 'quarantined'] };
  return { value: custom.text, names };
}

/** What a tool was given, as it may be written down: the same object with screened texts, at most MAX_INPUT characters as JSON, and always valid. */
export function screenInput(
  input: JsonObject,
  patterns: readonly CustomPattern[] = [],
  screened?: ScreenedTexts,
): Screened<JsonObject> {
  const removed = new Set<string>();
  const budget = { left: 2 * (MAX_INPUT + BEYOND) };
  const bounded = boundTexts(input, budget, (text) => {
    const { text: open, removed: spans } = removeSpans(text);
    for (const name of spans) removed.add(name);
    return open;
  }) as JsonObject;
  const { value, redactions } = redactTexts(bounded, '', undefined, screened);
  const names = [...removed, ...redactions.filter(({ replaced }) => replaced).map(({ kind }) => kind)];
  const changed = mapTexts(value, (text) => {
    const custom = replaceCustom(text, patterns);
    names.push(...custom.names);
    if (custom.isTooSlow) return TOO_SLOW;
    return isHighRisk(custom.text) ? QUARANTINED : custom.text;
  });
  if (JSON.stringify(changed).includes(QUARANTINED)) names.push('quarantined');
  return { value: fitInput(changed as JsonObject), names: [...new Set(names)] };
}

const DEEPEST = 8;
const SHORT = 512;
const MOST_ITEMS = 64;
const CUT = /\.\.\.\[truncated (\d+) chars\]$/;

/** Cuts what is beyond the budget before anything is looked at; a cut text loses the doubtful end. */
function boundTexts(value: Json, budget: { left: number }, open: (text: string) => string, depth = 0): Json {
  if (typeof value === 'string') {
    const text = open(value);
    // Half of what is left, so that a long text leaves room for what comes after it.
    const room = Math.max(budget.left / 2, Math.min(SHORT, budget.left), 0);
    budget.left -= Math.min(text.length, room);
    return text.length <= room ? text : cutMarked(text, lastBreak(text, Math.max(0, Math.floor(room) - DOUBTFUL)));
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEEPEST) return '[…]';
  if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map((item) => boundTexts(item, budget, open, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MOST_ITEMS)
      .map(([name, item]) => [cutText(name, 200), boundTexts(item, budget, open, depth + 1)]),
  );
}

function cutMarked(text: string, length: number): string {
  const [mark = '', earlier = '0'] = CUT.exec(text) ?? [];
  const whole = text.slice(0, text.length - mark.length);
  if (whole.length <= length) return text;
  const kept = cutText(whole, length);
  return `${kept}...[truncated ${whole.length - kept.length + Number(earlier)} chars]`;
}

function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapTexts(item, change)]));
}

/** The longest texts are cut first, the short ones that say what was done stay. */
function fitInput(input: JsonObject): JsonObject {
  let fitted = input;
  for (const length of [3072, 2048, 1024, 512, 256, 128, 48]) {
    if (JSON.stringify(fitted).length <= MAX_INPUT) return fitted;
    fitted = mapTexts(input, (text) => cutMarked(text, length)) as JsonObject;
  }
  if (JSON.stringify(fitted).length <= MAX_INPUT) return fitted;
  const first = Object.entries(fitted).slice(0, 16);
  return Object.fromEntries(
    first.map(([name, value]) => [
      cutText(name, 40),
      cutMarked(typeof value === 'string' ? value : JSON.stringify(value), 48),
    ]),
  );
}

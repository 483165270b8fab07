import { CHINESE } from './languages/chinese.ts';
import { ENGLISH } from './languages/english.ts';
import { FRENCH } from './languages/french.ts';
import { GERMAN } from './languages/german.ts';
import { JAPANESE } from './languages/japanese.ts';
import { PORTUGUESE } from './languages/portuguese.ts';
import { SPANISH } from './languages/spanish.ts';
import { lexPhrase } from './lex-phrase.ts';
import { readIsoTime } from './read-iso-time.ts';
import { resolveWords } from './resolve-words.ts';
import { type TimeContext, type TimeSpan, wallTimeAt } from './time-span.ts';
import type { TimeLanguage } from './time-words.ts';

type Relation = TimeLanguage['connectors'][number][0];

const SPACED: readonly TimeLanguage[] = [ENGLISH, GERMAN, FRENCH, SPANISH, PORTUGUESE];
const UNSPACED: readonly TimeLanguage[] = [JAPANESE, CHINESE];
/** A range of a range of …: no honest phrase goes deeper. */
const MAX_DEPTH = 3;

/** Beyond these years calendars and zones mean nothing. */
const EARLIEST = Date.UTC(1000, 0, 1);
const LATEST = Date.UTC(10_000, 0, 2);

/** The span of a normalised phrase, or null when any part of it means nothing. */
export function readSpan(text: string, context: TimeContext): TimeSpan | null {
  const span = readPart(text, context, 0);
  const isSane = [span?.start, span?.end].every((side) => (side ?? 0) >= EARLIEST && (side ?? 0) <= LATEST);
  return isSane ? span : null;
}

/** Words that make one time, in every language, then ranges. */
function readPart(text: string, context: TimeContext, depth: number): TimeSpan | null {
  if (text === '' || depth > MAX_DEPTH) return null;
  const iso = readIsoTime(text, context);
  if (iso !== undefined) return iso;
  const languages = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text) ? UNSPACED : SPACED;
  for (const language of languages) {
    const words = lexPhrase(text, language);
    const span = words === null ? null : resolveWords(words, context);
    if (span !== null) return span;
  }
  for (const [relation, form] of languages.flatMap((language) => language.connectors)) {
    const { x, y } = form.exec(text)?.groups ?? {};
    if (x === undefined) continue;
    const span = y === undefined ? readOneSide(relation, x, context, depth + 1) : readBetween(x, y, context, depth + 1);
    if (span !== null) return span;
  }
  return null;
}

function readOneSide(relation: Relation, x: string, context: TimeContext, depth: number): TimeSpan | null {
  const leavesAgoOut = relation === 'since' || relation === 'before'; // "older than 30 days"
  const span = readPart(x, context, depth) ?? (leavesAgoOut ? readPart(`${x} ago`, context, depth) : null);
  if (span === null) return null;
  const { start, end, point, anchored } = span;
  switch (relation) {
    case 'since':
      return start === null ? null : { start, end: null, anchored };
    case 'before':
      return start === null ? null : { start: null, end: point ?? start, anchored };
    case 'after':
      return end === null ? null : { start: point ?? end, end: null, anchored };
    case 'until':
      return end === null ? null : { start: null, end: point ?? end, anchored };
    case 'between':
      return null;
  }
}

/** A guessed year or week of one side follows the other: "March to May", "November to February", "March to May 2025". */
function readBetween(x: string, y: string, context: TimeContext, depth: number): TimeSpan | null {
  const [first, second] = [borrow(x, y), borrow(y, x)];
  let last = readPart(second, context, depth);
  if (last === null || last.start === null || last.end === null) return null;
  const upTo = last.anchored
    ? { ...context, pivot: { day: wallTimeAt(last.start, context.timeZone).day, side: 'upTo' as const } }
    : context;
  const from = readPart(first, upTo, depth);
  if (from === null || from.start === null || from.end === null) return null;
  if (!last.anchored) {
    const after = { ...context, pivot: { day: wallTimeAt(from.start, context.timeZone).day, side: 'from' as const } };
    last = readPart(second, after, depth) ?? last;
  }
  const start = Math.min(from.start, last.start ?? from.start);
  const end = Math.max(from.point ?? from.end, last.point ?? last.end ?? from.end);
  // "3pm to 3pm" names one moment twice: what it stands for alone is meant.
  return { start, end: end > start ? end : from.end, anchored: from.anchored && last.anchored };
}

/** "3 to 5 March", "2 and 4 weeks ago", "March 3 to 10": a bare number takes the rest from the other side. */
function borrow(side: string, other: string): string {
  return /^\d{1,2}(?:st|nd|rd|th|\.)?$/.test(side) ? other.replace(/\d{1,2}(?:st|nd|rd|th)?/, side) : side;
}

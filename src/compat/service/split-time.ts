import { readTimePhrase } from '../../engine/time/read-time-phrase.ts';
import { EngineError } from '../../model/errors.ts';
import type { Instant } from '../../model/ids.ts';

const MOST_WORDS = 40;
const LONGEST_TIME = 8;
/** What is a time as a single word; "may" and "march" are other words more often. */
const ALONE = /^(?:today|yesterday|recently|lately|\d+[-/.]\d+[-/.]\d+)$/i;

/** The time that a question holds ("what did we decide about the vault last week"), and the question without it. Null: it holds none. */
export function splitTime(
  question: string,
  reader: { now: Instant; timeZone: string },
): { time: string; rest: string } | null {
  const words = question.split(/\s+/).filter(Boolean);
  if (words.length > MOST_WORDS) return null;
  const bare = words.map((word) => word.replace(/^[("'“]+|[)"'”?!.,;:]+$/g, ''));
  for (let length = Math.min(LONGEST_TIME, words.length - 1); length > 0; length--)
    for (let start = 0; start + length <= words.length; start++) {
      const time = bare.slice(start, start + length).join(' ');
      if (length === 1 && !ALONE.test(time)) continue;
      if (!isTime(time, reader) || isTimeOfDay(time, reader)) continue;
      return { time, rest: words.toSpliced(start, length).join(' ') };
    }
  return null;
}

/** A time of day names no day, and takes one: "standup at 3 pm" asks for no day in particular. */
function isTimeOfDay(time: string, reader: { now: Instant; timeZone: string }): boolean {
  return isTime(`yesterday ${time}`, reader);
}

function isTime(phrase: string, reader: { now: Instant; timeZone: string }): boolean {
  try {
    readTimePhrase(phrase, reader);
    return true;
  } catch (error) {
    if (error instanceof EngineError && error.code === 'unreadable_time') return false;
    throw error;
  }
}

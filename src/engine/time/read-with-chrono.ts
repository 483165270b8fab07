import type { Component, ParsedComponents, ParsedResult } from 'chrono-node';
import { type CalendarDate, DAY_MS, dateOf, dayNumber, isRealDate, startOfUnit } from './calendar.ts';
import { lexPhrase } from './lex-phrase.ts';
import { nearestInYears, spanOfDays, spanUntilNow, type TimeContext, type TimeSpan } from './time-span.ts';
import type { TimeLanguage } from './time-words.ts';
import { instantOfWallTime, wallTimeAt } from './zoned-time.ts';

const PART_OF_DAY = /casualReference\/(?:morning|noon|afternoon|evening|night|tonight|midnight)/;

/** What our own words do not cover: dates and clock times in all the ways the date library knows. Nothing of the phrase may be left over. */
export async function readWithChrono(
  text: string,
  language: TimeLanguage,
  context: TimeContext,
): Promise<TimeSpan | null> {
  const parser = await importLocale(language.locale);
  const wall = wallTimeAt(context.now, context.timeZone);
  const offsetMinutes = Math.round((wall.day * DAY_MS + wall.ms - context.now) / 60_000);
  const results = parser.parse(text, { instant: new Date(context.now), timezone: offsetMinutes });
  const [result] = results;
  if (result === undefined || results.length > 1 || !coversPhrase(text, result, language)) return null;
  const start = readComponents(result.start, result, context);
  if (result.end === undefined || result.end === null || start === null) return start;
  const end = readComponents(result.end, result, context);
  return end === null ? null : { start: start.start, end: end.point ?? end.end, anchored: start.anchored };
}

function importLocale(locale: TimeLanguage['locale']) {
  switch (locale) {
    case 'en':
      return import('chrono-node/en');
    case 'de':
      return import('chrono-node/de');
    case 'fr':
      return import('chrono-node/fr');
    case 'es':
      return import('chrono-node/es');
    case 'pt':
      return import('chrono-node/pt');
    case 'ja':
      return import('chrono-node/ja');
    case 'zh':
      return import('chrono-node/zh');
  }
}

/** The library takes what it understands and passes over the rest ("avant-hier" as "hier"); we do not. */
function coversPhrase(text: string, result: ParsedResult, language: TimeLanguage): boolean {
  const before = text.slice(0, result.index);
  const after = text.slice(result.index + result.text.length);
  const touches = language.spaced && (/[\p{L}\p{N}]$/u.test(before) || /^[\p{L}\p{N}]/u.test(after));
  return !touches && [before, after].every((rest) => lexPhrase(rest.trim(), language)?.length === 0);
}

function readComponents(components: ParsedComponents, result: ParsedResult, context: TimeContext): TimeSpan | null {
  const certain = (name: Component) => components.isCertain(name);
  if (certain('millisecond') && certain('hour') && certain('day'))
    return spanAround(components.date().getTime(), context);
  if ([...result.tags()].some((tag) => PART_OF_DAY.test(tag)) && !certain('hour')) return null;
  const date = readDate(components, context);
  if (date === null) return null;
  const anchored = certain('year') || certain('day') === false;
  if (certain('hour')) return readClock(components, result.text, date, context);
  const first = dayNumber(date.year, date.month, date.day);
  const unit =
    certain('day') || certain('weekday') ? 'day' : certain('month') ? 'month' : certain('year') ? 'year' : null;
  // "feb 30" is not February 2030.
  if (unit === null || (unit === 'month' && /\b\d{1,2}\b/.test(result.text))) return null;
  const from = startOfUnit(first, unit);
  return spanOfDays(from, startOfUnit(from, unit, 1), context, anchored);
}

function spanAround(point: number, context: TimeContext): TimeSpan {
  return point > context.now
    ? { start: context.now, end: point, point, anchored: true }
    : { ...spanUntilNow(point, context), point };
}

/** A date without a year is the latest one, as memories lie in the past. */
function readDate(components: ParsedComponents, context: TimeContext): CalendarDate | null {
  const [year, month, day] = [components.get('year'), components.get('month'), components.get('day')];
  if (year === null || month === null || day === null || !isRealDate({ year, month, day })) return null;
  if (components.isCertain('year') || !components.isCertain('month')) return { year, month, day };
  const nearest = nearestInYears((each) => {
    const from = dayNumber(each, month, day);
    return isRealDate({ year: each, month, day }) ? [from, from + 1] : null;
  }, context);
  return nearest === null ? null : dateOf(nearest[0]);
}

function readClock(components: ParsedComponents, text: string, date: CalendarDate, context: TimeContext): TimeSpan {
  const [hour, minute, second] = (['hour', 'minute', 'second'] as const).map((name) => components.get(name) ?? 0);
  const ms = ((hour! * 60 + minute!) * 60 + second!) * 1000;
  const day = dayNumber(date.year, date.month, date.day);
  const offset = components.isCertain('timezoneOffset') ? components.get('timezoneOffset') : null;
  const start = offset === null ? instantOfWallTime(day, ms, context.timeZone) : day * DAY_MS + ms - offset * 60_000;
  const length = components.isCertain('second') ? 1000 : minute !== 0 || /\d[:.h]\d{2}/.test(text) ? 60_000 : 3_600_000;
  return { start, end: start + length, point: start, anchored: components.isCertain('year') };
}

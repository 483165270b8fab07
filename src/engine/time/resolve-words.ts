import type { Instant } from '../../model/ids.ts';
import { type DayNumber, startOfUnit } from './calendar.ts';
import { isCalendarUnit, onlyWith, resolvePeriod, type Said } from './resolve-period.ts';
import { instantOfWallTime, spanOfDays, spanUntilNow, type TimeContext, type TimeSpan } from './time-span.ts';
import type { DayPart, TimeUnit, TimeWord } from './time-words.ts';

const HOUR_MS = 3_600_000;
const MOMENT_MS: Partial<Record<TimeUnit, number>> = { second: 1000, minute: 60_000, hour: HOUR_MS };
const RECENT_DAYS = 7;
/** Hours of the day, past 24 on the next one. */
const PART_HOURS: Readonly<Record<DayPart, readonly [number, number]>> = {
  morning: [5, 12],
  noon: [12, 13],
  afternoon: [13, 18],
  evening: [18, 22],
  night: [22, 29],
  lateDay: [18, 29],
  midnight: [0, 1],
};

/** What the words of a phrase mean together, or null when they do not make a time. */
export function resolveWords(words: readonly TimeWord[], context: TimeContext): TimeSpan | null {
  const said = collect(words);
  if (said === null || words.length === 0) return null;
  if (said.part !== undefined || said.clock !== undefined) return resolveTimeOfDay(said, context);
  if (said.third !== undefined) return resolveThird(said, context);
  return resolveMoment(said, context) ?? resolveRolling(said, context) ?? resolveDays(said, context);
}

/** Null when something is said twice. "ces derniers" and "esta última" say "this" only for emphasis. */
function collect(words: readonly TimeWord[]): Said | null {
  const said: Said = {};
  for (const word of words) {
    const known = said[word.kind];
    if (word.kind === 'which' && said.which !== undefined) {
      if (said.which.step !== 0 && word.step !== 0) return null;
      if (word.step === 0) continue;
    } else if (known !== undefined) {
      return null;
    }
    Object.assign(said, { [word.kind]: word });
  }
  return said;
}

function resolveDays(said: Said, context: TimeContext): TimeSpan | null {
  const resolved = resolvePeriod(said, context);
  return resolved === null ? null : spanOfDays(resolved.period[0], resolved.period[1], context, resolved.anchored);
}

/** "now", "2 hours ago": from then until now; "in 2 hours": from now until then. */
function resolveMoment(said: Said, context: TimeContext): TimeSpan | null {
  const { now } = context;
  if (onlyWith(said, ['now'])) return { ...spanUntilNow(now, context), point: now };
  const length = said.unit === undefined ? undefined : MOMENT_MS[said.unit.unit];
  if (length === undefined) return null;
  if (onlyWith(said, ['unit', 'which']) && said.which !== undefined)
    return until(now + said.which.step * length, context);
  if (said.number === undefined || !onlyWith(said, ['unit', 'number', 'ago', 'ahead', 'which', 'recent'])) return null;
  const many = (said.number.upTo ?? said.number.value) * length;
  if (said.ago !== undefined || said.recent !== undefined || said.which?.step === -1) return until(now - many, context);
  return said.ahead !== undefined || said.which?.step === 1 ? until(now + many, context) : null;
}

function until(point: Instant, context: TimeContext): TimeSpan {
  return point > context.now
    ? { start: context.now, end: point, point, anchored: true }
    : { ...spanUntilNow(point, context), point };
}

/** "lately", "the last 3 weeks", "the past month": from the start of that unit until now; "the next 3 days": through the last of them. */
function resolveRolling(said: Said, context: TimeContext): TimeSpan | null {
  if (onlyWith(said, ['recent'])) return untilNow(context.today - RECENT_DAYS, context);
  if (said.unit === undefined || !isCalendarUnit(said.unit.unit) || said.number?.ordinal === true) return null;
  const { unit } = said.unit;
  const step = said.recent !== undefined ? -1 : (said.which?.step ?? 0);
  const counts = said.number !== undefined || said.which?.rolling === true || said.recent !== undefined;
  if (!counts || step === 0 || !onlyWith(said, ['unit', 'number', 'which', 'recent'])) return null;
  const many =
    said.number === undefined ? (said.recent === undefined ? 1 : RECENT_DAYS) : (said.number.upTo ?? said.number.value);
  if (step < 0) return untilNow(startOfUnit(context.today, unit, -many), context);
  return { ...spanOfDays(context.today, startOfUnit(context.today, unit, many + 1), context), start: context.now };
}

function untilNow(day: DayNumber, context: TimeContext): TimeSpan {
  return spanUntilNow(instantOfWallTime(day, 0, context.timeZone), context);
}

/** A part or an hour of one day: "last Tuesday afternoon", "yesterday at 3pm", "this morning". */
function resolveTimeOfDay({ part, clock, zone, ...rest }: Said, context: TimeContext): TimeSpan | null {
  const day = resolveOneDay(rest, context);
  if (day === null) return null;
  const at = (hours: number) =>
    instantOfWallTime(day.day + Math.floor(hours / 24), (hours % 24) * HOUR_MS, zone?.timeZone ?? context.timeZone);
  if (clock !== undefined) {
    const isLate =
      part !== undefined && ['afternoon', 'evening', 'lateDay', 'night'].includes(part.part) && clock.hour < 12;
    const { minute, second } = clock;
    const start = at(clock.hour + (isLate ? 12 : 0)) + (minute ?? 0) * 60_000 + (second ?? 0) * 1000;
    const length = second !== null ? 1000 : minute !== null ? 60_000 : HOUR_MS;
    return { start, end: start + length, point: start, anchored: day.anchored };
  }
  const [from, to] = PART_HOURS[part!.part];
  return { start: at(from), end: at(to), anchored: day.anchored };
}

function resolveOneDay(said: Said, context: TimeContext): { day: DayNumber; anchored: boolean } | null {
  if (onlyWith(said, ['which'])) return { day: context.today + (said.which?.step ?? 0), anchored: true };
  const resolved = resolvePeriod(said, context);
  if (resolved === null || resolved.period[1] - resolved.period[0] !== 1) return null;
  return { day: resolved.period[0], anchored: resolved.anchored };
}

/** "early March", "the end of last year", "the start of the week". */
function resolveThird({ third, ...rest }: Said, context: TimeContext): TimeSpan | null {
  const isBareUnit = rest.unit !== undefined && onlyWith(rest, ['unit']);
  const resolved = resolvePeriod(isBareUnit ? { ...rest, which: { kind: 'which', step: 0 } } : rest, context);
  if (resolved === null || third === undefined) return null;
  const [from, to] = resolved.period;
  const cut = (share: number) => from + Math.round(((to - from) * share) / 3);
  return to - from < 3 ? null : spanOfDays(cut(third.third), cut(third.third + 1), context, resolved.anchored);
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTimePhrase } from './read-time-phrase.ts';

type Row = readonly [phrase: string, after: string, before: string];

/** Wednesday, 18 March 2026, 15:30 in Berlin. */
const BERLIN = { now: Date.parse('2026-03-18T14:30:00Z'), timeZone: 'Europe/Berlin' };
/** Sunday, 1 November 2026, 22:15 in New York, where it is still Sunday and summer time ended that morning. */
const NEW_YORK = { now: Date.parse('2026-11-02T03:15:00Z'), timeZone: 'America/New_York' };

const inBerlin: readonly Row[] = [
  ['2026-03-01', '2026-03-01', '2026-03-02'],
  ['2026-03', '2026-03-01', '2026-04-01'],
  ['2026', '2026-01-01', '2027-01-01'],
  ['20260301', '2026-03-01', '2026-03-02'],
  ['2026-W10', '2026-03-02', '2026-03-09'],
  ['2026-03-01T10:00Z', '2026-03-01 11:00', '2026-03-01 11:01'],
  ['2026-03-01T10:00:05+05:30', '2026-03-01 05:30:05', '2026-03-01 05:30:06'],
  ['2026-03-01 10:00', '2026-03-01 10:00', '2026-03-01 10:01'],
  ['2026-03-01T10', '2026-03-01 10:00', '2026-03-01 11:00'],
  ['2026-03-01..2026-03-05', '2026-03-01', '2026-03-06'],
  ['12/25', '2025-12-25', '2025-12-26'],
  ['3/1/2026', '2026-03-01', '2026-03-02'],
  ['12-25-24', '2024-12-25', '2024-12-26'],
  ['5/6/99', '1999-05-06', '1999-05-07'],
  ['25/12/2025', '2025-12-25', '2025-12-26'],
  ['2025/3/5', '2025-03-05', '2025-03-06'],
  ['2025-03-05 at 3pm', '2025-03-05 15:00', '2025-03-05 16:00'],
  ['2025-03-05 15:30 UTC', '2025-03-05 16:30', '2025-03-05 16:31'],
  ['yesterday 10:00 +02:00', '2026-03-17 09:00', '2026-03-17 09:01'],
  ['Mar 3-5', '2026-03-03', '2026-03-06'],
  ['3-5 March 2025', '2025-03-03', '2025-03-06'],
  ['2d ago', '2026-03-16', '2026-03-17'],
  ['30m ago', '2026-03-18 15:00', 'now'],
  ['Monday at 9', '2026-03-16 09:00', '2026-03-16 10:00'],
  ['yesterday evening at 8', '2026-03-17 20:00', '2026-03-17 21:00'],
  ['today', '2026-03-18', '2026-03-19'],
  ['Yesterday.', '2026-03-17', '2026-03-18'],
  ['the day before yesterday', '2026-03-16', '2026-03-17'],
  ['3 days ago', '2026-03-15', '2026-03-16'],
  ['three days ago in the evening', '2026-03-15 18:00', '2026-03-15 22:00'],
  ['yesterday morning', '2026-03-17 05:00', '2026-03-17 12:00'],
  ['yesterday at noon', '2026-03-17 12:00', '2026-03-17 13:00'],
  ['yesterday afternoon', '2026-03-17 13:00', '2026-03-17 18:00'],
  ['last night', '2026-03-17 22:00', '2026-03-18 05:00'],
  ['yesterday at midnight', '2026-03-17 00:00', '2026-03-17 01:00'],
  ['this morning', '2026-03-18 05:00', '2026-03-18 12:00'],
  ['tonight', '2026-03-18 18:00', '2026-03-19 05:00'],
  ['2 weeks ago', '2026-03-02', '2026-03-09'],
  ['2 months ago', '2026-01-01', '2026-02-01'],
  ['a year ago', '2025-01-01', '2026-01-01'],
  ['a few days ago', '2026-03-13', '2026-03-17'],
  ['last 3 days', '2026-03-15', 'now'],
  ['in the last 3 days', '2026-03-15', 'now'],
  ['last 2 weeks', '2026-03-02', 'now'],
  ['last 3 months', '2025-12-01', 'now'],
  ['last 2 years', '2024-01-01', 'now'],
  ['the past month', '2026-02-01', 'now'],
  ['last 24 hours', '2026-03-17 15:30', 'now'],
  ['2 hours ago', '2026-03-18 13:30', 'now'],
  ['half an hour ago', '2026-03-18 15:00', 'now'],
  ['in 2 hours', 'now', '2026-03-18 17:30'],
  ['in a week', '2026-03-23', '2026-03-30'],
  ['last day', '2026-03-17', '2026-03-18'],
  ['last week', '2026-03-09', '2026-03-16'],
  ['last month', '2026-02-01', '2026-03-01'],
  ['last year', '2025-01-01', '2026-01-01'],
  ['last season', '2025-09-23', '2025-12-21'],
  ['last weekend', '2026-03-14', '2026-03-16'],
  ['this week', '2026-03-16', '2026-03-23'],
  ['this month', '2026-03-01', '2026-04-01'],
  ['next week', '2026-03-23', '2026-03-30'],
  ['March', '2026-03-01', '2026-04-01'],
  ['in April', '2025-04-01', '2025-05-01'],
  ['March 5', '2026-03-05', '2026-03-06'],
  ['Dec 24th', '2025-12-24', '2025-12-25'],
  ['5th of March, 2025', '2025-03-05', '2025-03-06'],
  ['the 5th of last month', '2026-02-05', '2026-02-06'],
  ['Tuesday, 5 March 2024', '2024-03-05', '2024-03-06'],
  ['Tuesday, 5 March', '2024-03-05', '2024-03-06'],
  ['last March 5', '2026-03-05', '2026-03-06'],
  ['Thu, 05 Mar 2026 10:00:00 GMT', '2026-03-05 11:00', '2026-03-05 11:00:01'],
  ['March of the year 2025', '2025-03-01', '2025-04-01'],
  ['spring', '2025-03-20', '2025-06-21'],
  ['last summer', '2025-06-21', '2025-09-23'],
  ['winter 2024', '2024-12-21', '2025-03-20'],
  ['christmas', '2025-12-22', '2025-12-29'],
  ['new year', '2025-12-29', '2026-01-05'],
  ['last halloween', '2025-10-28', '2025-11-04'],
  ["valentine's day", '2026-02-13', '2026-02-16'],
  ['thanksgiving', '2025-11-24', '2025-12-01'],
  ['first half of 2025', '2025-01-01', '2025-07-01'],
  ['second half of last year', '2025-07-01', '2026-01-01'],
  ['Q2 2025', '2025-04-01', '2025-07-01'],
  ['2nd quarter of 2025', '2025-04-01', '2025-07-01'],
  ['third quarter', '2025-07-01', '2025-10-01'],
  ['last quarter', '2025-10-01', '2026-01-01'],
  ['early March', '2026-03-01', '2026-03-11'],
  ['recently', '2026-03-11', 'now'],
  ['on Monday', '2026-03-16', '2026-03-17'],
  ['Wednesday', '2026-03-18', '2026-03-19'],
  ['last Wednesday', '2026-03-11', '2026-03-12'],
  ['last Tuesday afternoon', '2026-03-17 13:00', '2026-03-17 18:00'],
  ['Tuesday of last week', '2026-03-10', '2026-03-11'],
  ['at 3pm yesterday', '2026-03-17 15:00', '2026-03-17 16:00'],
  ['yesterday at 15:30', '2026-03-17 15:30', '2026-03-17 15:31'],
  ['since Friday', '2026-03-13', '*'],
  ['since last Monday', '2026-03-16', '*'],
  ['from March onwards', '2026-03-01', '*'],
  ['from last week', '2026-03-09', '2026-03-16'],
  ['before March 2025', '*', '2025-03-01'],
  ['after 2025-06-01', '2025-06-02', '*'],
  ['after 3pm yesterday', '2026-03-17 15:00', '*'],
  ['until yesterday', '*', '2026-03-18'],
  ['older than 30 days', '*', '2026-02-16'],
  ['between March and May', '2026-03-01', '2026-06-01'],
  ['between November and February', '2025-11-01', '2026-03-01'],
  ['between March and May 2025', '2025-03-01', '2025-06-01'],
  ['from June to August last year', '2025-06-01', '2025-09-01'],
  ['from Monday to today', '2026-03-16', '2026-03-19'],
  ['from 2026-03-01 until yesterday', '2026-03-01', '2026-03-18'],
  ['March 3 to 10', '2026-03-03', '2026-03-11'],
  ['between 2 and 4 hours ago', '2026-03-18 11:30', '2026-03-18 13:30'],
  ['from 9 to 11 am yesterday', '2026-03-17 09:00', '2026-03-17 11:00'],
  ['gestern', '2026-03-17', '2026-03-18'],
  ['letzte Woche', '2026-03-09', '2026-03-16'],
  ['vor 2 Stunden', '2026-03-18 13:30', 'now'],
  ['vor zwei Tagen', '2026-03-16', '2026-03-17'],
  ['Dienstagnachmittag', '2026-03-17 13:00', '2026-03-17 18:00'],
  ['heute Morgen', '2026-03-18 05:00', '2026-03-18 12:00'],
  ['vor einer halben Stunde', '2026-03-18 15:00', 'now'],
  ['gestern um 15 Uhr', '2026-03-17 15:00', '2026-03-17 16:00'],
  ['am 5. März 2025', '2025-03-05', '2025-03-06'],
  ['24.12.', '2025-12-24', '2025-12-25'],
  ['in den letzten 3 Tagen', '2026-03-15', 'now'],
  ['zwischen März und Mai', '2026-03-01', '2026-06-01'],
  ['seit Montag', '2026-03-16', '*'],
  ['vor März', '*', '2026-03-01'],
  ['hier', '2026-03-17', '2026-03-18'],
  ['avant-hier', '2026-03-16', '2026-03-17'],
  ['la semaine dernière', '2026-03-09', '2026-03-16'],
  ['il y a 2 heures', '2026-03-18 13:30', 'now'],
  ['hier après-midi', '2026-03-17 13:00', '2026-03-17 18:00'],
  ["l'année dernière", '2025-01-01', '2026-01-01'],
  ['les 3 derniers jours', '2026-03-15', 'now'],
  ['le 05/03/2026', '2026-03-05', '2026-03-06'],
  ['depuis lundi', '2026-03-16', '*'],
  ['du 3 au 10 mars', '2026-03-03', '2026-03-11'],
];

const inNewYork: readonly Row[] = [
  ['today', '2026-11-01', '2026-11-02'],
  ['yesterday', '2026-10-31', '2026-11-01'],
  ['on Sunday', '2026-11-01', '2026-11-02'],
  ['last Sunday', '2026-10-25', '2026-10-26'],
  ['this week', '2026-10-26', '2026-11-02'],
  ['halloween', '2026-10-28', '2026-11-04'],
  ['3pm PST yesterday', '2026-10-31 19:00', '2026-10-31 20:00'],
  ['半小时前', '2026-11-01 21:45', 'now'],
  ['yesterday at 3pm UTC', '2026-10-31 11:00', '2026-10-31 12:00'],
  ['ayer', '2026-10-31', '2026-11-01'],
  ['anteayer', '2026-10-30', '2026-10-31'],
  ['hace dos días', '2026-10-30', '2026-10-31'],
  ['la semana pasada', '2026-10-19', '2026-10-26'],
  ['ayer por la tarde', '2026-10-31 13:00', '2026-10-31 18:00'],
  ['ayer a las 3 de la tarde', '2026-10-31 15:00', '2026-10-31 16:00'],
  ['5 de marzo de 2025', '2025-03-05', '2025-03-06'],
  ['los últimos 3 días', '2026-10-29', 'now'],
  ['entre marzo y mayo', '2026-03-01', '2026-06-01'],
  ['ontem', '2026-10-31', '2026-11-01'],
  ['há dois dias', '2026-10-30', '2026-10-31'],
  ['2 horas atrás', '2026-11-01 20:15', 'now'],
  ['semana passada', '2026-10-19', '2026-10-26'],
  ['terça passada', '2026-10-27', '2026-10-28'],
  ['ontem à tarde', '2026-10-31 13:00', '2026-10-31 18:00'],
  ['desde segunda-feira', '2026-10-26', '*'],
  ['março de 2025', '2025-03-01', '2025-04-01'],
  ['昨日', '2026-10-31', '2026-11-01'],
  ['一昨日', '2026-10-30', '2026-10-31'],
  ['先週', '2026-10-19', '2026-10-26'],
  ['2時間前', '2026-11-01 20:15', 'now'],
  ['３日前', '2026-10-29', '2026-10-30'],
  ['先週の火曜日', '2026-10-20', '2026-10-21'],
  ['昨日の午後3時', '2026-10-31 15:00', '2026-10-31 16:00'],
  ['2025年3月5日', '2025-03-05', '2025-03-06'],
  ['3月から5月まで', '2026-03-01', '2026-06-01'],
  ['月曜日以降', '2026-10-26', '*'],
  ['昨天', '2026-10-31', '2026-11-01'],
  ['前天', '2026-10-30', '2026-10-31'],
  ['上周', '2026-10-19', '2026-10-26'],
  ['上周二', '2026-10-20', '2026-10-21'],
  ['上个月', '2026-10-01', '2026-11-01'],
  ['三天前', '2026-10-29', '2026-10-30'],
  ['2小时前', '2026-11-01 20:15', 'now'],
  ['昨天下午3点', '2026-10-31 15:00', '2026-10-31 16:00'],
  ['从三月到五月', '2026-03-01', '2026-06-01'],
  ['最近三天', '2026-10-29', 'now'],
];

function showLocal(instant: number | null, { now, timeZone }: typeof BERLIN): string {
  if (instant === null) return '*';
  if (instant === now || instant === now + 1) return 'now';
  const text = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(instant);
  return text.replace(/ 00:00:00$/, '').replace(/(:\d\d):00$/, '$1');
}

for (const [zone, rows] of [
  [BERLIN, inBerlin],
  [NEW_YORK, inNewYork],
] as const) {
  for (const [phrase, after, before] of rows) {
    test(`reads "${phrase}" in ${zone.timeZone} as ${after} to ${before}`, () => {
      const range = readTimePhrase(phrase, zone);
      const midnightless = (text: string) => text.replace(/ 00:00$/, '');
      assert.deepEqual(
        [showLocal(range.after, zone), showLocal(range.before, zone)],
        [after, before].map(midnightless),
      );
    });
  }
}

test('follows the clocks on days that are 23 or 25 hours long', () => {
  const utc = (phrase: string, zone: typeof BERLIN) => {
    const { after, before } = readTimePhrase(phrase, zone);
    return [after, before].map((each) => new Date(each ?? Number.NaN).toISOString().slice(0, 16));
  };
  assert.deepEqual(utc('2026-03-29', BERLIN), ['2026-03-28T23:00', '2026-03-29T22:00']);
  assert.deepEqual(utc('2026-10-25', BERLIN), ['2026-10-24T22:00', '2026-10-25T23:00']);
  assert.deepEqual(utc('today', NEW_YORK), ['2026-11-01T04:00', '2026-11-02T05:00']);
  assert.deepEqual(utc('2026-03-29 02:30', BERLIN), ['2026-03-29T01:30', '2026-03-29T01:31']);
  assert.deepEqual(utc('2026-10-25 02:30', BERLIN), ['2026-10-25T00:30', '2026-10-25T00:31']);
  const morningAfter = { now: Date.parse('2026-03-29T08:00:00Z'), timeZone: 'Europe/Berlin' };
  assert.deepEqual(utc('last night', morningAfter), ['2026-03-28T21:00', '2026-03-29T03:00']);
  assert.deepEqual(utc('12 hours ago', morningAfter), ['2026-03-28T20:00', '2026-03-29T08:00']);
  const saoPaulo = { now: Date.parse('2018-11-05T12:00:00Z'), timeZone: 'America/Sao_Paulo' };
  assert.deepEqual(utc('2018-11-04', saoPaulo), ['2018-11-04T03:00', '2018-11-05T02:00']);
});

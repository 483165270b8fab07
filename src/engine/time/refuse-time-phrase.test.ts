import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EngineError } from '../../model/errors.ts';
import { readTimePhrase, type TimeRange } from './read-time-phrase.ts';

/** Wednesday, 18 March 2026, 15:30 in Berlin. */
const BERLIN = { now: Date.parse('2026-03-18T14:30:00Z'), timeZone: 'Europe/Berlin' };

const unreadable = [
  'blurgsday',
  'the time we met',
  'last purple',
  'yesterday purple',
  'not yesterday',
  'yesterday and last week',
  'last tuesday or so maybe',
  'between March and purple',
  'since',
  'last',
  'the',
  '',
  '   ',
  '3',
  'week',
  '2026-02-30',
  '2026-13',
  '2026-03-01T25:00',
  '2026-W54',
  'feb 30',
  'Monday, 5 March 2024',
  'yesterday UTC',
  '3pm XYZ yesterday',
  '99/99',
  '25:00 yesterday',
  '13pm yesterday',
  'q5 2025',
  '9999 years ago',
  'letzte Lila',
  'hier ou presque',
  '先々々週',
  '昨天吧',
  'x'.repeat(501),
  `yesterday${' '.repeat(500)}`,
];

for (const phrase of unreadable) {
  test(`refuses "${phrase.slice(0, 40)}" instead of ignoring a part of it`, () => {
    assert.throws(
      () => readTimePhrase(phrase, BERLIN),
      (error: unknown) => {
        assert.ok(error instanceof EngineError && error.code === 'unreadable_time');
        assert.ok(error.message.length < 200 && error.hint !== undefined);
        return true;
      },
    );
  });
}

test('names a zone it does not know as the problem', () => {
  assert.throws(() => readTimePhrase('today', { now: BERLIN.now, timeZone: 'Mars/Olympus' }), {
    code: 'invalid_input',
  });
  assert.throws(() => readTimePhrase('2026-03-01', { now: BERLIN.now, timeZone: '' }), { code: 'invalid_input' });
});

function readOrRefuse(text: string): TimeRange | null {
  try {
    return readTimePhrase(text, BERLIN);
  } catch (error) {
    assert.ok(error instanceof EngineError && error.code === 'unreadable_time', String(error));
    return null;
  }
}

test('answers any text with a range in order or with unreadable_time', () => {
  const piece = fc.constantFrom(
    'last',
    'this',
    'next',
    '3',
    '5th',
    'weeks',
    'days',
    'ago',
    'between',
    'and',
    'to',
    'since',
    'March',
    'Monday',
    '2025',
    'at',
    '3pm',
    'gestern',
    'hier',
    '昨日',
    '前',
    'Q2',
    'night',
    '-',
    'end of',
  );
  const phrase = fc.oneof(
    fc.array(piece, { maxLength: 6 }).map((words) => words.join(' ')),
    fc.string({ unit: 'binary', maxLength: 40 }),
  );
  fc.assert(
    fc.property(phrase, (text) => {
      const range = readOrRefuse(text);
      if (range === null) return;
      assert.ok(range.after !== null || range.before !== null);
      if (range.after !== null && range.before !== null) assert.ok(range.after < range.before, text);
    }),
    { numRuns: 300 },
  );
});

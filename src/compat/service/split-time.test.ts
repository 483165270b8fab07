import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitTime } from './split-time.ts';

const NOW = { now: Date.parse('2026-11-19T14:00:00Z'), timeZone: 'UTC' };

test('the time in a question is found wherever it stands, and the rest is what is asked', () => {
  for (const [question, time, rest] of [
    ['what did we decide about the vault last week?', 'last week', 'what did we decide about the vault'],
    ['find notes on databases from two months ago', 'from two months ago', 'find notes on databases'],
    ['what happened yesterday afternoon', 'yesterday afternoon', 'what happened'],
    ['between March and May we chose what', 'between March and May', 'we chose what'],
    ['"yesterday": vault', 'yesterday', 'vault'],
    ['the vault, 2024-03-05.', '2024-03-05', 'the vault,'],
  ] as const)
    assert.deepEqual(splitTime(question, NOW), { time, rest }, question);
});

test('what only looks like a time is left in the question', () => {
  for (const question of [
    'what may I do',
    'port 5432 on server 2',
    'standup at 3 pm',
    'lunch at noon',
    'release 1.2.3',
    'last week',
    '',
  ])
    assert.equal(splitTime(question, NOW), null, question);
});

test('a question of many words is read as a question, and takes no time', () => {
  assert.equal(splitTime(`${'word '.repeat(40)}last week`, NOW), null);
});

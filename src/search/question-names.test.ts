import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findNamed } from './question-names.ts';

const SPEAKERS = ['rachel green', 'ross geller', 'monica geller', 'will smith', 'dr. omar haddad', 'ana'];
const named = (query: string, speakers: readonly string[] = SPEAKERS) =>
  findNamed(query, speakers).map(({ speaker, as }) => `${speaker} as ${as}`);

test('a speaker with a longer name is named by its first or its last word', () => {
  assert.deepEqual(named('What did Rachel’s sister say?'), ['rachel green as rachel']);
  assert.deepEqual(named('Where does Haddad live?'), ['dr. omar haddad as haddad']);
  assert.deepEqual(named('Did Rachel Green call Ana?'), ['rachel green as rachel green', 'ana as ana']);
  assert.deepEqual(named('Which Geller was late?'), ['ross geller as geller', 'monica geller as geller']);
});

test('a part of a name counts only where it is written as a name', () => {
  assert.deepEqual(named('which rooms are green?'), []);
  assert.deepEqual(named('Will it rain?'), [], 'a function word is none');
  assert.deepEqual(named('Is the Dr. in?'), [], 'nor is a title');
  assert.deepEqual(named('what did ana say?'), ['ana as ana'], 'a whole name counts however it is written');
});

test('who bears nothing but the name is meant before others who bear it too', () => {
  assert.deepEqual(named('What did Ross say?', ['ross', 'ross geller']), ['ross as ross']);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseQuery } from './parse-query.ts';
import { isForm, listAttached, openingOf } from './word-forms.ts';

const withForms = (query: string): string[] =>
  parseQuery(query)
    .terms.filter(({ hasForms }) => hasForms === true)
    .map(({ word }) => word);

test('looks for forms of words in other scripts, and of Latin words in questions that are not English', () => {
  assert.deepEqual(withForms('В каком городе находится сервер?'), ['городе', 'находится', 'сервер']);
  assert.deepEqual(withForms('Welche Datenbanken nutzt Anna?'), ['Datenbanken', 'nutzt', 'Anna']);
  assert.deepEqual(withForms('Która baza działa najszybciej?'), ['Która', 'baza', 'działa', 'najszybciej']);
});

test('looks for none in English, in keywords, in names of code and in scripts that are cut into pairs', () => {
  assert.deepEqual(withForms('which databases does the café use'), []);
  assert.deepEqual(withForms('deploy pipeline rollback'), []);
  assert.deepEqual(withForms('wo wird getUserById in src/auth/login.ts von NASA benutzt'), ['benutzt']);
  assert.deepEqual(withForms('認証エラーの原因'), []);
});

test('looks for the forms of a question, not of a whole page', () => {
  const letters = [...'бвгджзклмн'];
  const page = letters.flatMap((first) => letters.slice(0, 4).map((second) => `${first}а${second}ада`));
  assert.equal(withForms(page.join(' ')).length, 12);
});

test('takes words that end differently for forms of one, and no others', () => {
  const isFormOf = (one: string, other: string) => other.startsWith(openingOf(one)) && isForm(one, other);
  assert.ok(isFormOf('городе', 'города'));
  assert.ok(isFormOf('сервер', 'серверов'));
  assert.ok(isFormOf('υπολογιστησ', 'υπολογιστων'));
  assert.ok(isFormOf('datenbank', 'datenbanken'));
  assert.ok(!isFormOf('город', 'горох2'));
  assert.ok(!isFormOf('deploy', 'deplet'), 'Latin words share more');
  assert.ok(!isFormOf('сервер', 'сервер'), 'a word is no other form of itself');
  assert.ok(!isFormOf('конь', 'конституция'));
});

test('knows words with and without what Arabic and Hebrew write to them', () => {
  assert.ok(listAttached('المدينة').includes('مدينة'));
  assert.ok(listAttached('مدينة').includes('بالمدينة'));
  assert.ok(listAttached('לשרת').includes('השרת'));
  assert.ok(!listAttached('המדינה').includes('המדינה'));
  assert.deepEqual(listAttached('город'), []);
});

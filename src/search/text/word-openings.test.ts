import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { composeForms } from './fold.ts';
import { irregularForms } from './irregular-forms.ts';
import { scanTerms } from './scan-terms.ts';
import { listOpenings } from './word-openings.ts';

function find(text: string, wanted: readonly string[]): string[] {
  const found: string[] = [];
  const collect = (term: string, start: number, end: number) => {
    if (wanted.includes(term)) found.push(`${term} ${start} ${end}`);
  };
  scanTerms(text, collect, listOpenings(wanted));
  return found;
}

function findUnaided(text: string, wanted: readonly string[]): string[] {
  const found: string[] = [];
  scanTerms(text, (term, start, end) => {
    if (wanted.includes(term)) found.push(`${term} ${start} ${end}`);
  });
  return found;
}

function listTerms(text: string): string[] {
  const terms: string[] = [];
  scanTerms(text, (term) => terms.push(term));
  return terms;
}

test('lets irregular forms, dying and single letters through to their terms', () => {
  assert.deepEqual(find('She went and ate while he was dying of Aing', ['go', 'eat', 'die', 'a']), [
    'go 4 8',
    'eat 13 16',
    'die 30 35',
    'a 39 43',
  ]);
  for (const form of irregularForms()) assert.equal(find(`x ${form} y`, listTerms(form)).length, 1, form);
});

test('finds the same places as without passing anything over', () => {
  const word = fc.stringMatching(/^[A-Za-z]{1,8}(?:ing|ed|s|ies|ying|y|e|ly)?$/);
  const odd = fc.constantFrom(
    "don't",
    'I’m',
    "Mary's",
    'loginPage',
    'src/auth/login.ts',
    'C++',
    'F#',
    'v1.2',
    'IDs',
    'café',
    '.env',
    '今日は',
    '2026',
    'a-b',
    'Ⅳ',
    'O’Brien',
  );
  const gap = fc.constantFrom(' ', ' ', ' ', ', ', '. ', '.', '\n', '-', ' (', '! ', '… ', "'", '_');
  const text = fc
    .array(fc.tuple(fc.oneof(word, word, odd), gap), { minLength: 1, maxLength: 12 })
    .map((parts) => composeForms(parts.flat().join('')));
  fc.assert(
    fc.property(text, fc.array(fc.nat(), { minLength: 1, maxLength: 4 }), (line, picks) => {
      const terms = listTerms(line);
      const wanted = terms.length === 0 ? ['x'] : picks.map((pick) => terms[pick % terms.length]!);
      assert.deepEqual(find(line, wanted), findUnaided(line, wanted));
    }),
    { numRuns: 2000 },
  );
});

test('passes over words that begin otherwise', () => {
  const seen: string[] = [];
  scanTerms('The harbour wall of the old town. Here too', (term) => seen.push(term), listOpenings(['harbour']));
  assert.deepEqual(seen, listTerms('harbour'));
});

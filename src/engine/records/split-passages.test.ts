import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { splitContent, splitPassages } from './split-passages.ts';

const squeeze = (text: string) => text.replace(/\s+/gu, '');

test('keeps a short memory in one passage', () => {
  assert.deepEqual(splitPassages('  Short. '), ['Short.']);
});

test('prefers paragraphs, then lines, then sentences, then words', () => {
  const long = (end: string, rest: string) => `${'word '.repeat(180)}here${end}${rest}`;
  assert.match(splitPassages(long('.\n\n', 'Next sentence. And\nmore '.repeat(20)))[0]!, /here\.$/);
  assert.match(splitPassages(long('\n', 'Next sentence. And more '.repeat(20)))[0]!, /here$/);
  assert.match(splitPassages(long('. ', 'next without an end '.repeat(20)))[0]!, /here\.$/);
  assert.match(splitPassages('abcdefghi '.repeat(200))[0]!, /abcdefghi$/);
});

test('cuts Chinese at the end of a sentence', () => {
  const [first] = splitPassages('認証エラーが発生しました。'.repeat(200));
  assert.match(first!, /。$/);
});

test('covers the whole text in pieces of at most 1,200 characters, whatever it is', () => {
  const text = fc.array(
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 400 }),
      fc.constantFrom('\n\n', '. ', '認証。', '😀'.repeat(900), ' '),
    ),
    {
      maxLength: 12,
    },
  );
  fc.assert(
    fc.property(text, (parts) => {
      const content = parts.join('').toWellFormed();
      const passages = splitPassages(content);
      assert.equal(squeeze(passages.join('')), squeeze(content));
      for (const passage of passages) assert.ok(passage.length <= 1200 && passage.isWellFormed());
    }),
    { numRuns: 200 },
  );
});

test('splits long content into pieces that overlap and never exceed the limit', () => {
  const words = Array.from({ length: 400 }, (_, i) => `word${i}`);
  const pieces = splitContent(words.join(' '), { maxChars: 100, overlapChars: 20 });
  for (const piece of pieces) assert.ok(piece.length <= 100);
  for (const word of words)
    assert.ok(
      pieces.some((piece) => piece.split(' ').includes(word)),
      word,
    );
  for (let i = 1; i < pieces.length; i++) assert.ok(pieces[i - 1]!.includes(pieces[i]!.split(' ')[0]!));
});

test('splits whatever the limit and the overlap, and always comes to an end', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 0, max: 80 }),
      (raw, maxChars, overlapChars) => {
        const content = raw.toWellFormed();
        const pieces = splitContent(content, { maxChars, overlapChars });
        for (const piece of pieces) assert.ok(piece.length <= Math.max(2, maxChars) && piece.isWellFormed());
        if (overlapChars === 0) assert.equal(squeeze(pieces.join('')), squeeze(content));
      },
    ),
    { numRuns: 200 },
  );
});

/** Marks the words of a line that stand for one of the indexed terms; terms are word stems, or pieces of spaceless scripts. */
export function highlightWords(line: string, terms: readonly string[], mark: (word: string) => string): string {
  const wanted = terms.filter((term) => term !== '');
  if (wanted.length === 0) return line;
  // The letters of all scripts take milliseconds to be ready, and most lines have none of them.
  const isPlain = !FOREIGN.test(line) && !wanted.some((term) => NOT_ASCII.test(term));
  const classes = isPlain
    ? { letter: '[A-Za-z]', inWord: '[A-Za-z0-9]' }
    : { letter: '\\p{L}', inWord: '[\\p{L}\\p{N}]' };
  const pattern = wanted.map((term) => termPattern(term, classes)).join('|');
  return line.replace(new RegExp(pattern, isPlain ? 'gi' : 'giu'), (word) => mark(word));
}

const NOT_ASCII = /[^\0-\x7f]/;
/** Dashes, quotes and the ellipsis of a cut line are no letters. */
const FOREIGN = /[^\0-\x7f\u2010-\u2027]/;

function termPattern(term: string, { letter, inWord }: { letter: string; inWord: string }): string {
  const literal = escapePattern(term);
  if (NOT_ASCII.test(term) && isSpaceless(term)) return literal;
  // A stem's last letter may have changed: "happi" stands for "happy".
  const stem = term.length > 3 && term.endsWith('i') ? `${escapePattern(term.slice(0, -1))}[iy]` : literal;
  return `(?<!${inWord})${stem}${letter}*`;
}

function isSpaceless(term: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u.test(term);
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Marks the words of a line that stand for one of the indexed terms; terms are word stems, or pieces of spaceless scripts. */
export function highlightWords(line: string, terms: readonly string[], mark: (word: string) => string): string {
  const patterns = terms.filter((term) => term !== '').map(termPattern);
  if (patterns.length === 0) return line;
  return line.replace(new RegExp(patterns.join('|'), 'giu'), (word) => mark(word));
}

function termPattern(term: string): string {
  const literal = escapePattern(term);
  if (SPACELESS.test(term)) return literal;
  // A stem's last letter may have changed: "happi" stands for "happy".
  const stem = term.length > 3 && term.endsWith('i') ? `${escapePattern(term.slice(0, -1))}[iy]` : literal;
  return `(?<![\\p{L}\\p{N}])${stem}\\p{L}*`;
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

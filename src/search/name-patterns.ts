const NOT_ASCII = /[^\0-\x7f]/;

/** Where both are ASCII, a name that the question does not hold needs no pattern: making one takes a command a millisecond. */
export function mayName(query: string, name: string): boolean {
  return NOT_ASCII.test(query) || NOT_ASCII.test(name) || query.toLowerCase().includes(name.toLowerCase());
}

export function isSpaceless(name: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(name);
}

/** The question without names: who is meant decides whose turns count, not what they are about. The question itself where nothing would be left. */
export function leaveOutNames(query: string, named: readonly string[]): string {
  if (named.length === 0) return query;
  let rest = query;
  for (const speaker of named) rest = rest.replace(patternOf(speaker), ' ');
  return /[\p{L}\p{N}]/u.test(rest) ? rest : query;
}

const patterns = new Map<string, RegExp>();
/** So many are remembered, then the memory starts afresh: compiling one takes longer than asking it. */
const MAX_PATTERNS = 1000;

export function patternOf(speaker: string): RegExp {
  const known = patterns.get(speaker);
  if (known !== undefined) return known;
  if (patterns.size >= MAX_PATTERNS) patterns.clear();
  const pattern = makePattern(speaker);
  patterns.set(speaker, pattern);
  return pattern;
}

function makePattern(speaker: string): RegExp {
  const name = speaker.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return isSpaceless(speaker)
    ? new RegExp(name, 'giu')
    : new RegExp(`(?<![\\p{L}\\p{N}])${name}(?:['’]s)?(?![\\p{L}\\p{N}])`, 'giu');
}

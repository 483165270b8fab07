import { isGenerated, looksLikeKey, looksStrong } from './judge-value.ts';
import { readQuoted } from './read-quoted.ts';
import { compileOnce, matchAt, type Range, type SecretRule } from './secret-rule.ts';

/** Behind the name: the sign that gives it a value, and the bracket of a list or of an object. */
const opening = compileOnce('(?:\\\\{0,15}["\'`])?[ \\t]{0,4}(?:=>|[:=])[ \\t]{0,8}(?=[[{])', 'y');
const between = compileOnce('(?:[\\s,]|\\\\{1,7}[nrt]){1,200}', 'y');
const quoteSign = compileOnce('(\\\\{0,15})(["\'`])', 'y');
const colon = compileOnce('[ \\t]{0,4}(?:=>|:)', 'y');
const bareName = compileOnce('[\\w.-]{1,64}', 'y');

const MOST_STEPS = 100;
const LONGEST = 4096;
const DEEPEST = 6;

/** `"passwords": ["…", "…"]`, `"secrets": {"db": "…"}`: each value that looks like one. */
function findValues(text: string, at: number, isSecret: (value: string) => boolean): readonly Range[] {
  const found: Range[] = [];
  let place = at;
  let depth = 0;
  for (let steps = 0; steps < MOST_STEPS && place - at < LONGEST; steps++) {
    place += matchAt(between(), text, place)?.[0].length ?? 0;
    const sign = text[place] ?? '';
    const quote = matchAt(quoteSign(), text, place);
    if (sign === '[' || sign === '{') {
      depth++;
      place++;
      if (depth > DEEPEST) break;
    } else if (sign === ']' || sign === '}') {
      depth--;
      place++;
      if (depth <= 0) break;
    } else if (quote !== null) {
      const escapes = quote[1]!.length;
      const value = readQuoted(text, place, escapes, quote[2]!);
      if (value === null) break;
      place = value.range[1] + escapes + 1;
      const given = matchAt(colon(), text, place);
      if (given !== null) place += given[0].length;
      else if (isSecret(value.text)) found.push(value.range);
    } else {
      const name = matchAt(bareName(), text, place);
      if (name === null) break;
      place += name[0].length;
      place += matchAt(colon(), text, place)?.[0].length ?? 0;
    }
  }
  return found;
}

function pluralRule(kind: string, literals: string, isSecret: (value: string) => boolean): SecretRule {
  const names = literals.split(' ');
  return {
    kind,
    mode: 'redact',
    literals: names,
    anyCase: true,
    glued: true,
    context: true,
    find(text, at) {
      const name = names.find((one) => text.slice(at, at + one.length).toLowerCase() === one)!;
      const start = at + name.length;
      const head = matchAt(opening(), text, start);
      if (head === null) return null;
      const found = findValues(text, start + head[0].length, isSecret);
      return found.length === 0 ? null : found;
    },
  };
}

/** Several secrets under one name. */
export const PLURAL_RULES: readonly SecretRule[] = [
  pluralRule('password', 'passwords passphrases', (value) => isGenerated(value) || looksStrong(value)),
  pluralRule(
    'secret-assignment',
    'secrets apikeys api_keys api-keys tokens',
    (value) => isGenerated(value) || looksLikeKey(value, 16),
  ),
];

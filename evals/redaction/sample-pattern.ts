/** Draws a text that a regular expression matches. Knows what secret rules are written in: classes, groups, alternatives, counts, (?i), \b, anchors. */

type Random = () => number;

interface State {
  source: string;
  at: number;
  anyCase: boolean;
  random: Random;
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
const ANY = `${LOWER}${UPPER}${DIGITS} -_.`;
/** An open count goes this far above its minimum. */
const SLACK = 6;
const POSIX: Record<string, string> = { alnum: LOWER + UPPER + DIGITS, alpha: LOWER + UPPER, digit: DIGITS };
const ESCAPES: Record<string, string> = {
  d: DIGITS,
  w: `${LOWER}${UPPER}${DIGITS}_`,
  s: ' ',
  S: LOWER + DIGITS,
  n: '\n',
  r: '\r',
  t: '\t',
  b: '',
  B: '',
  z: '',
  A: '',
};

export function samplePattern(source: string, random: Random): string {
  return sampleAlternatives({ source, at: 0, anyCase: false, random });
}

function sampleAlternatives(state: State): string {
  const anyCase = state.anyCase;
  const branches: string[] = [sampleSequence(state)];
  while (state.source[state.at] === '|') {
    state.at++;
    branches.push(sampleSequence(state));
  }
  state.anyCase = anyCase;
  return pick(branches, state.random);
}

function sampleSequence(state: State): string {
  let text = '';
  while (state.at < state.source.length && state.source[state.at] !== '|' && state.source[state.at] !== ')')
    text += sampleRepeated(state);
  return text;
}

function sampleRepeated(state: State): string {
  const start = state.at;
  let text = sampleAtom(state);
  const end = state.at;
  const count = readCount(state);
  if (count === null) return text;
  const after = state.at;
  const { anyCase } = state;
  text = '';
  for (let i = 0; i < count; i++) {
    state.at = start;
    text += sampleAtom(state);
    state.at = end;
  }
  state.at = after;
  state.anyCase = anyCase;
  return text;
}

function readCount(state: State): number | null {
  const match = /^(?:\{(\d+)(,(\d*))?\}|[*+?])[?+]?/.exec(state.source.slice(state.at));
  if (match === null) return null;
  state.at += match[0].length;
  if (match[1] === undefined) return { '*': 0, '+': 1, '?': 0 }[match[0][0]!]! + Math.floor(state.random() * 2);
  const least = Number(match[1]);
  const most = match[2] === undefined ? least : Math.min(match[3] ? Number(match[3]) : least + SLACK, least + SLACK);
  return least + Math.floor(state.random() * (most - least + 1));
}

function sampleAtom(state: State): string {
  const character = state.source[state.at]!;
  if (character === '(') return sampleGroup(state);
  if (character === '[') return draw(readClass(state), state);
  state.at++;
  if (character === '\\') return sampleEscape(state);
  if (character === '.') return draw(ANY, state);
  return character === '^' || character === '$' ? '' : character;
}

function sampleGroup(state: State): string {
  const head = /^\((?:\?(?:P?<(?![=!])\w+>|(-?)([ismU]+)(\)|:)|-i(?::|\))|:|(<?[=!])))?/.exec(
    state.source.slice(state.at),
  )!;
  state.at += head[0].length;
  if (head[3] === ')' || head[0] === '(?-i)') {
    state.anyCase = head[1] !== '-' && head[2] === 'i';
    return '';
  }
  const { anyCase } = state;
  if (head[2]?.includes('i')) state.anyCase = head[1] !== '-';
  const text = sampleAlternatives(state);
  state.at++;
  state.anyCase = anyCase;
  return head[4] === undefined ? text : '';
}

function readClass(state: State): string {
  state.at++;
  const negated = state.source[state.at] === '^';
  if (negated) state.at++;
  let set = '';
  for (let first = true; first || state.source[state.at] !== ']'; first = false) {
    const posix = /^\[:(\w+):\]/.exec(state.source.slice(state.at));
    if (posix !== null) {
      state.at += posix[0].length;
      set += POSIX[posix[1]!]!;
      continue;
    }
    const low = readClassCharacter(state);
    if (low.length === 1 && state.source[state.at] === '-' && state.source[state.at + 1] !== ']') {
      state.at++;
      const high = readClassCharacter(state);
      for (let code = low.charCodeAt(0); code <= high.charCodeAt(0); code++) set += String.fromCharCode(code);
    } else set += low;
  }
  state.at++;
  return negated ? [...ANY].filter((character) => !set.includes(character)).join('') : set;
}

function readClassCharacter(state: State): string {
  const character = state.source[state.at++]!;
  return character === '\\' ? readEscape(state) : character;
}

function sampleEscape(state: State): string {
  const set = readEscape(state);
  return set.length > 1 ? draw(set, state) : set;
}

function readEscape(state: State): string {
  const character = state.source[state.at++]!;
  if (character === 'x') {
    state.at += 2;
    return String.fromCharCode(Number.parseInt(state.source.slice(state.at - 2, state.at), 16));
  }
  return ESCAPES[character] ?? character;
}

function draw(set: string, state: State): string {
  return set === '' ? '' : vary(set[Math.floor(state.random() * set.length)]!, state);
}

function vary(character: string, { anyCase, random }: State): string {
  return anyCase && random() < 0.3 ? character.toUpperCase() : character;
}

function pick<T>(items: readonly T[], random: Random): T {
  return items[Math.floor(random() * items.length)]!;
}

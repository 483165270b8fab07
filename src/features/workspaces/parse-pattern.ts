import { EngineError } from '../../model/errors.ts';

export type Instruction =
  | { op: 'char'; matches(code: number): boolean }
  /** Goes on at all of these. */
  | { op: 'split'; to: readonly number[] }
  | { op: 'start' }
  | { op: 'end' }
  | { op: 'boundary'; wanted: boolean }
  | { op: 'match' };

type Test = (code: number) => boolean;
type Node =
  | { is: 'test'; test: Test }
  | { is: 'assert'; instruction: Instruction }
  | { is: 'all'; parts: Node[] }
  | { is: 'any'; parts: Node[] }
  | { is: 'repeat'; part: Node; least: number; most: number };

const MAX_CHARS = 1000;
const MAX_REPEAT = 1000;
const MAX_INSTRUCTIONS = 5000;
const MAX_DEPTH = 100;

/** A regular expression as most languages write them, without what needs going back. Throws invalid_input. */
export function parsePattern(source: string, caseSensitive: boolean): Instruction[] {
  if (source.length > MAX_CHARS) throw refuse(`it has more than ${MAX_CHARS} characters`);
  const parser = createParser(source, caseSensitive);
  const program: Instruction[] = [];
  emit(parser(), program);
  program.push({ op: 'match' });
  return program;
}

function refuse(fault: string): EngineError {
  return new EngineError('invalid_input', `This pattern cannot be used: ${fault}.`, {
    hint: 'Characters, ., [classes], \\d \\w \\s \\b, ^ $, groups, | and * + ? {n,m} are understood.',
    details: { field: 'query' },
  });
}

function emit(node: Node, program: Instruction[]): void {
  if (program.length > MAX_INSTRUCTIONS) throw refuse('it is too large once its repetitions are written out');
  switch (node.is) {
    case 'test':
      program.push({ op: 'char', matches: node.test });
      break;
    case 'assert':
      program.push(node.instruction);
      break;
    case 'all':
      for (const part of node.parts) emit(part, program);
      break;
    case 'any':
      emitAny(node.parts, program);
      break;
    case 'repeat':
      emitRepeat(node, program);
      break;
  }
}

function emitAny(parts: readonly Node[], program: Instruction[]): void {
  const [first, ...rest] = parts;
  if (first === undefined) return;
  if (rest.length === 0) {
    emit(first, program);
    return;
  }
  const split = program.push({ op: 'split', to: [] }) - 1;
  emit(first, program);
  const leave = program.push({ op: 'split', to: [] }) - 1;
  program[split] = { op: 'split', to: [split + 1, program.length] };
  emitAny(rest, program);
  program[leave] = { op: 'split', to: [program.length] };
}

function emitRepeat({ part, least, most }: { part: Node; least: number; most: number }, program: Instruction[]): void {
  for (let i = 0; i < least; i++) emit(part, program);
  if (most === Number.POSITIVE_INFINITY) {
    const split = program.push({ op: 'split', to: [] }) - 1;
    emit(part, program);
    program.push({ op: 'split', to: [split] });
    program[split] = { op: 'split', to: [split + 1, program.length] };
    return;
  }
  const splits: number[] = [];
  for (let i = least; i < most; i++) {
    splits.push(program.push({ op: 'split', to: [] }) - 1);
    emit(part, program);
  }
  for (const split of splits) program[split] = { op: 'split', to: [split + 1, program.length] };
}

const DIGIT: Test = (code) => code >= 48 && code <= 57;
const WORD: Test = (code) => DIGIT(code) || code === 95 || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
const SPACE: Test = (code) => /\s/u.test(String.fromCodePoint(code));
const CLASSES: Readonly<Record<string, Test>> = { d: DIGIT, w: WORD, s: SPACE };
const CONTROLS: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12, v: 11, '0': 0 };

function createParser(source: string, caseSensitive: boolean): () => Node {
  const text = [...source];
  let at = 0;
  let depth = 0;

  const literal = (code: number): Test => {
    if (caseSensitive) return (other) => other === code;
    const folded = fold(code);
    return (other) => other === code || fold(other) === folded;
  };

  const readAny = (): Node => {
    if (++depth > MAX_DEPTH) throw refuse('its groups are nested too deeply');
    const parts = [readAll()];
    while (text[at] === '|') {
      at++;
      parts.push(readAll());
    }
    depth--;
    return parts.length === 1 ? parts[0]! : { is: 'any', parts };
  };

  const readAll = (): Node => {
    const parts: Node[] = [];
    while (at < text.length && text[at] !== '|' && text[at] !== ')') parts.push(readRepeated());
    return { is: 'all', parts };
  };

  const readRepeated = (): Node => {
    let part = readOne();
    for (;;) {
      const count = readCount();
      if (count === null) return part;
      if (part.is === 'assert') throw refuse('a repetition follows an assertion');
      part = { is: 'repeat', part, ...count };
    }
  };

  /** Whether as few or as many as possible are taken does not matter to whether a line matches. */
  const readCount = (): { least: number; most: number } | null => {
    const counts = { '*': [0, Infinity], '+': [1, Infinity], '?': [0, 1] } as const;
    const sign = text[at] as keyof typeof counts;
    let count: { least: number; most: number } | null = null;
    if (Object.hasOwn(counts, sign)) {
      at++;
      count = { least: counts[sign][0], most: counts[sign][1] };
    } else if (sign === ('{' as string)) {
      const [whole, least, comma, most] = /^\{(\d{1,5})(,)?(\d{1,5})?\}/.exec(text.slice(at, at + 20).join('')) ?? [];
      if (whole === undefined) return null;
      at += whole.length;
      const from = Number(least);
      count = { least: from, most: comma === undefined ? from : most === undefined ? Infinity : Number(most) };
      if (from > MAX_REPEAT || (count.most !== Infinity && count.most > MAX_REPEAT))
        throw refuse(`it repeats something more than ${MAX_REPEAT} times`);
      if (count.most < from) throw refuse('a repetition ends before it begins');
    }
    if (count !== null && text[at] === '?') at++;
    return count;
  };

  const readOne = (): Node => {
    const sign = text[at++]!;
    switch (sign) {
      case '(':
        return readGroup();
      case '[':
        return { is: 'test', test: readClass() };
      case '.':
        return { is: 'test', test: (code) => code !== 10 };
      case '^':
        return { is: 'assert', instruction: { op: 'start' } };
      case '$':
        return { is: 'assert', instruction: { op: 'end' } };
      case '\\':
        return readEscape();
      case '*':
      case '+':
      case '?':
        throw refuse('there is nothing to repeat');
      default:
        return { is: 'test', test: literal(sign.codePointAt(0)!) };
    }
  };

  const readGroup = (): Node => {
    if (text[at] === '?') {
      const [whole] = /^\?(?::|<[A-Za-z_]\w{0,50}>|P<[A-Za-z_]\w{0,50}>)/.exec(text.slice(at, at + 60).join('')) ?? [];
      if (whole === undefined) throw refuse('it looks around');
      at += whole.length;
    }
    const inner = readAny();
    if (text[at++] !== ')') throw refuse('a group is not closed');
    return inner;
  };

  const readEscape = (): Node => {
    const sign = text[at];
    if (sign === 'b' || sign === 'B') {
      at++;
      return { is: 'assert', instruction: { op: 'boundary', wanted: sign === 'b' } };
    }
    return { is: 'test', test: readEscaped() };
  };

  /** What follows a backslash, in a class or outside: a test of one character. */
  const readEscaped = (): Test => {
    const sign = text[at++];
    if (sign === undefined) throw refuse('it ends with a backslash');
    if (/[1-9k]/.test(sign)) throw refuse('it refers back to a group');
    const named = CLASSES[sign.toLowerCase()];
    if (named !== undefined) return sign === sign.toLowerCase() ? named : (code) => !named(code);
    if (sign === 'p' || sign === 'P') return readProperty(sign === 'P');
    return literal(readEscapedCode(sign));
  };

  const readEscapedCode = (sign: string): number => {
    if (sign === 'x' || sign === 'u') {
      const [whole, braced, plain] =
        /^(?:\{([0-9a-fA-F]{1,6})\}|([0-9a-fA-F]{2,4}))/.exec(text.slice(at, at + 8).join('')) ?? [];
      const digits = braced ?? plain?.slice(0, sign === 'x' ? 2 : 4);
      const code = Number.parseInt(digits ?? '', 16);
      if (whole === undefined || !(code <= 0x10ffff)) throw refuse('a character is not written out');
      at += braced === undefined ? digits!.length : whole.length;
      return code;
    }
    if (CONTROLS[sign] !== undefined) return CONTROLS[sign];
    if (/[A-Za-z]/.test(sign)) throw refuse(`\\${sign} is not understood`);
    return sign.codePointAt(0)!;
  };

  const readProperty = (isNegated: boolean): Test => {
    const [whole, name] = /^\{([A-Za-z_=]{1,40})\}/.exec(text.slice(at, at + 44).join('')) ?? [];
    if (whole === undefined) throw refuse('a property of characters is not named');
    at += whole.length;
    const property = makeProperty(name!);
    return (code) => property.test(String.fromCodePoint(code)) !== isNegated;
  };

  const readClass = (): Test => {
    const isNegated = text[at] === '^';
    if (isNegated) at++;
    const tests: Test[] = [];
    for (let isFirst = true; isFirst || text[at] !== ']'; isFirst = false) {
      if (at >= text.length) throw refuse('a class is not closed');
      tests.push(readMember());
    }
    at++;
    const holds: Test = (code) => tests.some((test) => test(code));
    return isNegated ? (code) => !holds(code) : holds;
  };

  const readMember = (): Test => {
    const from = readBound();
    if (typeof from === 'function') return from;
    if (text[at] !== '-' || text[at + 1] === undefined || text[at + 1] === ']') return literal(from);
    at++;
    const to = readBound();
    if (typeof to === 'function' || to < from) throw refuse('a range is out of order');
    const isIn: Test = (code) => code >= from && code <= to;
    return caseSensitive ? isIn : (code) => isIn(code) || isIn(fold(code)) || isIn(unfold(code));
  };

  const readBound = (): number | Test => {
    const sign = text[at++]!;
    if (sign !== '\\') return sign.codePointAt(0)!;
    const next = text[at] ?? '';
    if (CLASSES[next.toLowerCase()] !== undefined || /[pP1-9k]/.test(next)) return readEscaped();
    at++;
    return next === 'b' ? 8 : readEscapedCode(next);
  };

  return () => {
    const whole = readAny();
    if (at < text.length) throw refuse('a group is closed that was not opened');
    return whole;
  };
}

function fold(code: number): number {
  return String.fromCodePoint(code).toLowerCase().codePointAt(0)!;
}

function unfold(code: number): number {
  return String.fromCodePoint(code).toUpperCase().codePointAt(0)!;
}

function makeProperty(name: string): RegExp {
  try {
    return new RegExp(`\\p{${name}}`, 'u');
  } catch {
    throw refuse(`there is no property of characters named ${name}`);
  }
}

import { createRandom, type Random } from './random.ts';

/** What readers of all kinds have a meaning for. Each of these has held up a reader of some program. */
const FRAGMENTS: readonly string[] = [
  [
    'a',
    'A',
    '0',
    ' ',
    '\n',
    '\t',
    '\r\n',
    '\r',
    '.',
    ',',
    ';',
    ':',
    '-',
    '_',
    '=',
    '/',
    '\\',
    '|',
    '#',
    '*',
    '~',
    '^',
    '&',
    '%',
    '$',
    '@',
    '!',
    '?',
    '+',
  ],
  [
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '<',
    '>',
    '"',
    "'",
    '`',
    '""',
    "''",
    '```',
    '"""',
    '{}',
    '[]',
    '()',
    '<>',
    '{{',
    '}}',
    '[[',
    ']]',
    '${',
    '$(',
    '\\"',
    "\\'",
    '\\\\',
    '\\n',
    '\\u0041',
  ],
  [
    '{a,b}',
    '[a-z]',
    '*a',
    '**/',
    '../',
    './',
    '~/',
    '%41',
    '%',
    '&amp;',
    '&#x41;',
    '&lt',
    '<!--',
    '-->',
    '<a',
    '<a>',
    '</a>',
    '<p>x',
    '<private>',
    '</private>',
    '<script>',
    '<![CDATA[',
    ']]>',
    '<?',
    '/>',
  ],
  [
    '# h\n',
    '## h\n',
    '- x\n',
    '* [ ] x\n',
    '1. x\n',
    '> x\n',
    '| a | b |\n',
    '|-|-|\n',
    '---\n',
    '===\n',
    '+++\n',
    '    x\n',
    '\n\n',
    ' \n',
    '\ta\n',
    'a: b\n',
    'a:\n',
    '  a: b\n',
    '- a: b\n',
    'a = 1\n',
    '[a]\n',
    '[[a]]\n',
    'a,b,c\n',
    '"a","b"\n',
    ',,,,',
    '";"',
    'a\tb\n',
  ],
  [
    '{"a":',
    '{"a":1}\n',
    '["',
    '",',
    '":"',
    '[[',
    '[1,',
    'null,',
    'true',
    '1e9',
    '-0',
    '0x1f',
    '1.2.3',
    '192.168.0.1',
    '::',
    'http://',
    'https://a.b/c?d=e&f=g#h',
    'mailto:a@b.c',
    'a@b.c',
    '//',
    '/*',
    '*/',
    '-- ',
    "'; ",
    'file:///',
  ],
  [
    'the ',
    'password',
    'password=',
    'password: ',
    'token: ',
    'secret ',
    'api_key=',
    'AKIA',
    'ghp_',
    'sk-',
    'eyJ',
    'Bearer ',
    'Authorization: ',
    '-----BEGIN ',
    '-----BEGIN RSA PRIVATE KEY-----\n',
    '-----END ',
    'MIIE',
    'aws_secret_access_key',
    'export A=',
    'curl -u a:b ',
    'mysql -pa ',
    '://a:b@',
    'x'.repeat(40),
    'aB3$'.repeat(5),
    'QUJD'.repeat(10),
  ],
  [
    'function a() {\n',
    'def a():\n',
    'class A {\n',
    'import a from "a"\n',
    'return ',
    'if (a) ',
    'else ',
    '@@ -1,2 +1,2 @@\n',
    '+a\n',
    '-a\n',
    'diff --git a/a b/a\n',
    'index 1..2\n',
    'Error: a\n',
    '    at a (b.js:1:2)\n',
    'Traceback (most recent call last):\n',
    '  File "a.py", line 1\n',
    'not ok 1 - a\n',
    'FAIL a\n',
    '1 failed, 2 passed\n',
    'exit code 1\n',
  ],
  [
    'We decided to use A. ',
    'Decision: a\n',
    'I prefer a. ',
    'Remember that a ',
    'Bug: a ',
    'always ',
    'never ',
    'because ',
    'instead of ',
    'The fix was a. ',
    'Note: ',
    'TODO ',
    'Wir haben entschieden ',
    'Nous avons ',
    'Hemos ',
    '決めた。',
    '我们决定',
    '。',
    '、',
  ],
  [
    'yesterday ',
    'last week ',
    'two weeks ago ',
    'in March 2024 ',
    'at 3pm ',
    '2024-01-01',
    '2024-01-01T00:00:00Z ',
    'on Monday ',
    'between ',
    'and ',
    'or ',
    'NOT ',
    'since ',
    'until ',
    'gestern ',
    '昨日',
    '12:30 ',
    '3 days ',
    'Q1 ',
  ],
  [
    'é',
    'e\u0301',
    '\u0301',
    'ß',
    'İ',
    'ﬁ',
    '\u200b',
    '\u200d',
    '\u202e',
    '\u00ad',
    '\ufeff',
    '\u3164',
    '\u180e',
    '\u2028',
    '\u0085',
    '\u00a0',
    '\u3000',
    '中',
    '日本',
    '한',
    'ｱ',
    'ไ',
    'ะ',
    'ا',
    'ـ',
    'я',
    'ё',
    'ѐ',
    '🙂',
    '👨‍👩‍👧',
    '🇩🇪',
    '\u{1f3fb}',
    'ﷺ',
    '𝐀',
    '\u{e0041}',
    '\ud800',
    '\udc00',
    '\u0000',
    '\u001b[31m',
    '\u0007',
    '\b',
  ],
  [
    'camelCase',
    'snake_case_name',
    'kebab-case-name',
    'XMLHttpRequest',
    'a.b.c',
    'a/b/c',
    'C:\\a\\',
    '/home/a/',
    '#123',
    'ABC-123',
    '@a/b',
    'a()',
    'v1.2.3',
    '`a`',
    '**a**',
    '__a__',
    '[a](b)',
    '![a](b)',
    '[[a|b]]',
    '#tag ',
    '[^1]',
    '$a',
    '$$',
    'donaudampfschiff',
    'ing',
    'ed ',
    "n't",
    'Keiko: ',
    'user: ',
    'Human: ',
    '<user>',
    '#remember ',
    '#skip',
    '#private',
    'INSERT INTO a VALUES (',
    "('a','b'),",
    'CREATE TABLE a (',
    'SELECT ',
  ],
].flat();

export interface HostileText {
  /** Enough to make it again: the seed says which pieces. */
  name: string;
  text: string;
}

type Shape = (random: Random, pick: () => string, chars: number) => string;

const SHAPES: Readonly<Record<string, Shape>> = {
  /** One piece over and over: most of what runs quadratically is found by this. */
  repeated: (random, pick, chars) => fill(pieces(pick, 1 + random.below(3)), chars),
  /** A beginning that waits for an end which never comes, or comes at last. */
  opened: (random, pick, chars) =>
    `${pick()}${fill(pieces(pick, 1 + random.below(2)), chars)}${random.below(2) === 0 ? '' : pick()}`,
  nested: (random, pick, chars) => {
    const [open, close] = random.pick(BRACKETS);
    const inner = random.below(2) === 0 ? '' : pick();
    const depth = Math.floor(chars / (open.length + close.length + inner.length));
    return `${`${open}${inner}`.repeat(depth)}${random.below(2) === 0 ? close.repeat(depth) : ''}`;
  },
  mixed: (random, pick, chars) => {
    const some = Array.from({ length: 2 + random.below(12) }, pick);
    let text = '';
    while (text.length < chars) text += random.pick(some);
    return text;
  },
  /** Long runs of one piece, each closed by another. */
  runs: (random, pick, chars) => {
    const run = fill(pick(), 10 ** (1 + random.below(5)));
    return fill(`${run}${pick()}${random.below(2) === 0 ? '\n' : ''}`, chars);
  },
  /** No two alike: what is kept by its name grows with the text. */
  numbered: (random, pick, chars) => {
    const [before, after] = [pick(), pick()];
    const parts: string[] = [];
    for (let i = random.below(1000), length = 0; length < chars; i++) {
      const part = `${before}${i}${after}`;
      parts.push(part);
      length += part.length;
    }
    return parts.join('');
  },
  /** A sound text in which single characters were exchanged, doubled or left out. */
  mutated: (random, pick, chars) => {
    const sound = fill(pieces(pick, 8), 2000);
    let text = '';
    while (text.length < chars) {
      const at = random.below(sound.length);
      text += sound.slice(0, at) + (random.below(3) === 0 ? '' : pick()) + sound.slice(at + random.below(3));
    }
    return text;
  },
  random: (random, _pick, chars) => {
    const [low, high] = random.pick([
      [32, 127],
      [0, 256],
      [97, 123],
      [0x20, 0x3000],
      [0x4e00, 0x9fff],
    ] as const);
    const codes = Array.from({ length: 10_000 }, () => low + random.below(high - low));
    return fill(String.fromCharCode(...codes), chars);
  },
};

const BRACKETS: readonly (readonly [open: string, close: string])[] = [
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
  ['{"a":', '}'],
  ['[[', ']]'],
  ['<a>', '</a>'],
  ['<div ', '>'],
  ['<private>', '</private>'],
  ['"', '"'],
  ['`', '`'],
  ['$(', ')'],
  ['{a,', '}'],
  ['> ', ''],
  ['  ', '\n'],
  ['- ', '\n'],
  ['**', '**'],
  ['-----BEGIN A-----', '-----END A-----'],
];

/** Always the same for a seed. `own` are pieces that mean something to the reader it is made for. */
export function makeHostile(seed: number, chars: number, own: readonly string[] = []): HostileText {
  const random = createRandom(seed);
  const name = random.pick(Object.keys(SHAPES));
  const used = new Set<string>();
  const pick = (): string => {
    const piece = own.length > 0 && random.below(3) === 0 ? random.pick(own) : random.pick(FRAGMENTS);
    used.add(piece);
    return piece;
  };
  const text = SHAPES[name]!(random, pick, chars).slice(0, chars);
  return { name: `${name} ${JSON.stringify([...used].slice(0, 6)).slice(0, 120)}`, text };
}

/** Each piece alone, over and over: what a fuzz is sure to meet. */
export function* repeatEach(chars: number, own: readonly string[] = []): Generator<HostileText> {
  for (const piece of new Set([...own, ...FRAGMENTS]))
    yield { name: `repeated ${JSON.stringify(piece)}`, text: fill(piece, chars).slice(0, chars) };
}

function pieces(pick: () => string, count: number): string {
  return Array.from({ length: count }, pick).join('');
}

function fill(piece: string, chars: number): string {
  return (piece === '' ? 'a' : piece).repeat(Math.ceil(chars / Math.max(1, piece.length)));
}

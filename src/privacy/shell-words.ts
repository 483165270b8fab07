/** A word of a command line, with quotes and escapes taken away. */
export interface ShellWord {
  text: string;
  /** As it is written, for shells to which a backslash is a separator of paths. */
  written: string;
  /** Some of it stood between quotes: it may be text and not a path. */
  quoted: boolean;
  /** A brace of it stood outside of quotes: a shell may make several words of it. */
  braced: boolean;
}

type Variables = Readonly<Record<string, string | undefined>>;

const BREAKS = ' \t\n\r;|&<>()`';
/** Longer ones are programs, not words. */
const MOST_WORDS = 2000;

/**
 * The words of a command as a shell would see them, near enough to find the files it touches: quotes joined, escapes undone, variables put in where they are
 * known, redirections, pipes and substitutions taken as breaks between words.
 */
export function splitShellWords(command: string, variables: Variables): ShellWord[] {
  const words: ShellWord[] = [];
  let at = 0;
  while (at < command.length && words.length < MOST_WORDS) {
    if (BREAKS.includes(command[at]!)) {
      at++;
      continue;
    }
    const start = at;
    let text = '';
    let quoted = false;
    let braced = false;
    while (at < command.length && !BREAKS.includes(command[at]!)) {
      const sign = command[at]!;
      if (sign === "'" || sign === '"') {
        const end = findQuote(command, at);
        const inside = command.slice(at + 1, end);
        text += sign === "'" ? inside : expand(inside.replace(/\\(["\\$`])/g, '$1'), variables);
        quoted = true;
        at = end + 1;
      } else if (sign === '$' && command[at + 1] === "'") {
        const end = findQuote(command, at + 1);
        text += decodeEscapes(command.slice(at + 2, end));
        quoted = true;
        at = end + 1;
      } else if (sign === '$') {
        const [whole] = /^\$(?:\w+|\{[^}]{0,200}\})?/.exec(command.slice(at, at + 220))!;
        text += expand(whole, variables);
        at += whole.length;
      } else if (sign === '\\' && at + 1 < command.length) {
        if (command[at + 1] !== '\n') text += command[at + 1];
        at += 2;
      } else {
        if (sign === '{') braced = true;
        text += sign;
        at++;
      }
    }
    words.push({ text, written: command.slice(start, at), quoted, braced });
  }
  return words;
}

/** The end of the quote, or of the command where it is never closed. */
function findQuote(command: string, at: number): number {
  const quote = command[at]!;
  for (let end = at + 1; end < command.length; end++) {
    if (quote === '"' && command[end] === '\\') end++;
    else if (command[end] === quote) return end;
  }
  return command.length;
}

/** Longer values of a variable are no paths, and a command may name them again and again. */
const LONGEST_VALUE = 4096;

/** A variable nobody knows stays as it is written; `${A:-b}` is `b` then. */
function expand(text: string, variables: Variables): string {
  if (!text.includes('$')) return text;
  return text.replace(/\$(?:(\w{1,200})|\{(\w{1,200})([^}]{0,200})\})/g, (whole, plain, braced, rest: string) => {
    const value = variables[plain ?? braced];
    if (value !== undefined && value.length <= LONGEST_VALUE) return value;
    return /^:?[-=+](.*)$/s.exec(rest ?? '')?.[1] ?? whole;
  });
}

function decodeEscapes(text: string): string {
  return text
    .replace(/\\x([0-9a-fA-F]{1,2})|\\u([0-9a-fA-F]{1,4})/g, (_, x, u) =>
      String.fromCharCode(Number.parseInt(x ?? u, 16)),
    )
    .replace(/\\([0-7]{1,3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)))
    .replace(/\\(.)/g, '$1');
}

/** Of one word. */
const MOST_FORMS = 256;
/** Characters written in making them. */
const MOST_CHARS = 64 << 10;

export interface Forms {
  words: string[];
  /** There are more than these; what is left of them stands there unexpanded. */
  isCut: boolean;
}

/** `.{env,npmrc}` is two words, `.en{u..w}` three. However many they would be, so many are made and no more. */
export function expandBraces(word: string): Forms {
  const words: string[] = [];
  const pending = [word];
  let [forms, chars] = [1, 0];
  while (pending.length > 0) {
    const one = pending.pop()!;
    const group = findGroup(one);
    if (group === null) {
      words.push(one);
      continue;
    }
    forms += group.parts.length - 1;
    chars += group.parts.length * one.length;
    if (forms > MOST_FORMS || chars > MOST_CHARS) return { words: [...words, one, ...pending], isCut: true };
    const [head, tail] = [one.slice(0, group.start), one.slice(group.end)];
    for (const part of group.parts.toReversed()) pending.push(head + part + tail);
  }
  return { words, isCut: false };
}

interface Group {
  start: number;
  end: number;
  parts: string[];
}

/** The first pair of braces that holds no other and says more than one word. */
function findGroup(word: string): Group | null {
  let start = -1;
  for (let at = 0; at < word.length; at++) {
    if (word[at] === '{') start = at;
    if (word[at] !== '}' || start === -1) continue;
    const inside = word.slice(start + 1, at);
    const parts = inside.includes(',') ? inside.split(',') : readRange(inside);
    if (parts !== null) return { start, end: at + 1, parts };
    start = -1;
  }
  return null;
}

/** `a..e`; numbers name no file that is looked for. */
function readRange(inside: string): string[] | null {
  const [, from, to] = /^([A-Za-z])\.\.([A-Za-z])(?:\.\.-?\d{1,3})?$/.exec(inside) ?? [];
  if (from === undefined || to === undefined) return null;
  const [low, high] = [from.charCodeAt(0), to.charCodeAt(0)].toSorted((a, b) => a - b) as [number, number];
  return Array.from({ length: high - low + 1 }, (_, i) => String.fromCharCode(low + i));
}

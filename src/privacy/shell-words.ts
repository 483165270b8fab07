/** A word of a command line, with quotes and escapes taken away. */
export interface ShellWord {
  text: string;
  /** As it is written, for shells to which a backslash is a separator of paths. */
  written: string;
  /** Some of it stood between quotes: it may be text and not a path. */
  quoted: boolean;
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
        text += sign;
        at++;
      }
    }
    words.push({ text, written: command.slice(start, at), quoted });
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

/** A variable nobody knows stays as it is written; `${A:-b}` is `b` then. */
function expand(text: string, variables: Variables): string {
  if (!text.includes('$')) return text;
  return text.replace(/\$(?:(\w+)|\{(\w+)(?::?[-=+]([^}]*))?[^}]*\})/g, (whole, plain, braced, usual) => {
    return variables[plain ?? braced] ?? usual ?? whole;
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

const MOST_FORMS = 64;

/** `.{env,npmrc}` is two words. */
export function expandBraces(word: string): string[] {
  const found = /\{([^{}]{0,200},[^{}]{0,200})\}/.exec(word);
  if (found === null) return [word];
  const [head, tail] = [word.slice(0, found.index), word.slice(found.index + found[0].length)];
  return found[1]!
    .split(',')
    .flatMap((one) => expandBraces(head + one + tail))
    .slice(0, MOST_FORMS);
}

import { Script } from 'node:vm';

export interface CustomPattern {
  /** As it stands in the marker. */
  name: string;
  pattern: RegExp;
}

export interface CustomPatterns {
  patterns: readonly CustomPattern[];
  /** What was not taken, and why, in words. */
  ignored: readonly { pattern: string; why: string }[];
}

const SHORTEST = 4;
/** For all patterns and one text together. A pattern that backtracks without end is stopped there, whatever it is. */
const LONGEST_MS = 50;

/** The setting `privacy_patterns`: texts, or objects with `pattern` and `name`. What cannot be used is ignored and told. */
export function readCustomPatterns(value: unknown): CustomPatterns {
  const patterns: CustomPattern[] = [];
  const ignored: { pattern: string; why: string }[] = [];
  for (const item of Array.isArray(value) ? value : []) {
    const { pattern, name } = typeof item === 'string' ? { pattern: item, name: undefined } : readItem(item);
    const why = typeof pattern === 'string' ? refuse(pattern) : 'it has no pattern';
    if (why !== null) ignored.push({ pattern: String(pattern), why });
    else patterns.push({ name: nameOf(name), pattern: new RegExp(String(pattern), 'g') });
  }
  return { patterns, ignored };
}

function readItem(item: unknown): { pattern?: unknown; name?: unknown } {
  return typeof item === 'object' && item !== null ? item : {};
}

function nameOf(name: unknown): string {
  return (typeof name === 'string' && name.replace(/[^\w-]+/g, '-').slice(0, 40)) || 'custom';
}

function refuse(pattern: string): string | null {
  if (pattern.length < SHORTEST) return `it is shorter than ${SHORTEST} characters`;
  try {
    return new RegExp(`^(?:${pattern})$`).test('') || isAnything(pattern) ? 'it matches everything' : null;
  } catch {
    return 'it is not a regular expression';
  }
}

/** `.*`, `.+`, `[\s\S]+`: whatever the text is, all of it. */
function isAnything(pattern: string): boolean {
  const whole = new RegExp(`^(?:${pattern})$`, 's');
  return ['~', 'a b', '\n1\n', 'Zz9-_. \t'].every((text) => whole.test(text));
}

export interface Replaced {
  text: string;
  /** Names of the patterns that matched. */
  names: readonly string[];
  /** The patterns took too long: nothing of the text may be kept. */
  isTooSlow: boolean;
}

export function replaceCustom(text: string, patterns: readonly CustomPattern[]): Replaced {
  if (patterns.length === 0 || text === '') return { text, names: [], isTooSlow: false };
  const names: string[] = [];
  let replaced = text;
  const isDone = runWithin(LONGEST_MS, () => {
    for (const { name, pattern } of patterns) {
      const before = replaced;
      replaced = replaced.replace(pattern, (found) => (found === '' ? '' : `[redacted:${name}]`));
      if (replaced !== before) names.push(name);
    }
  });
  return { text: isDone ? replaced : '', names, isTooSlow: !isDone };
}

const GATE = '__ltmRunWithin';
let script: Script | undefined;

/** Node stops a script at a time limit, in the middle of a regular expression too; nothing else does. */
function runWithin(ms: number, work: () => void): boolean {
  script ??= new Script(`globalThis.${GATE}()`);
  const world = globalThis as unknown as Record<string, unknown>;
  world[GATE] = work;
  try {
    script.runInThisContext({ timeout: ms });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
    throw error;
  } finally {
    delete world[GATE];
  }
}

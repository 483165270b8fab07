import type { Script } from 'node:vm';

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
/** Of the processor, for all patterns and one text together. A pattern that backtracks without end is stopped there, whatever it is. */
const LONGEST_MS = 50;
/** On a machine that has no time for it, one attempt may wait so long. */
const LONGEST_WAIT_MS = 1600;

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
  const replaceAll = (): Omit<Replaced, 'isTooSlow'> => {
    const names: string[] = [];
    let replaced = text;
    for (const { name, pattern } of patterns) {
      const before = replaced;
      replaced = replaced.replace(pattern, (found) => (found === '' ? '' : `[redacted:${name}]`));
      if (replaced !== before) names.push(name);
    }
    return { text: replaced, names };
  };
  const done = runWithin(LONGEST_MS, replaceAll);
  return done === null ? { text: '', names: [], isTooSlow: true } : { ...done, isTooSlow: false };
}

/** Null: it has used up its time of the processor. What others use of it meanwhile does not count: then it is begun again, with as much patience as they need. */
function runWithin<T>(ms: number, work: () => T): T | null {
  let wait = ms;
  for (;;) {
    const before = usedMs();
    const done = runFor(wait, work);
    const used = Math.max(1, usedMs() - before);
    if (done !== null || used >= ms * NEARLY || wait >= LONGEST_WAIT_MS) return done?.value ?? null;
    wait = Math.min(LONGEST_WAIT_MS, Math.ceil((wait * ms) / used));
  }
}

/** The clock that stops it and the one that counts do not agree to the millisecond. */
const NEARLY = 0.8;

function usedMs(): number {
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage();
  return (user + system) / 1000;
}

const GATE = '__ltmRunWithin';
let script: Script | undefined;

/** Node stops a script at a time limit, in the middle of a regular expression too; nothing else does. */
function runFor<T>(ms: number, work: () => T): { value: T } | null {
  script ??= new (process.getBuiltinModule('node:vm').Script)(`globalThis.${GATE}()`);
  const world = globalThis as unknown as Record<string, unknown>;
  world[GATE] = work;
  try {
    return { value: script.runInThisContext({ timeout: ms }) as T };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return null;
    throw error;
  } finally {
    delete world[GATE];
  }
}

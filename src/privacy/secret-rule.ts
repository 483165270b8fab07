import { once } from '../model/once.ts';

/** redact: replaced in stored text and refused in packets. block: no secret, but refused in packets. flag: refused in packets, never replaced, because it is a guess. */
export type RuleMode = 'redact' | 'block' | 'flag';

export interface Finding {
  /** What it is: `gh-token`, `password`, `abs-path` … */
  kind: string;
  mode: RuleMode;
  /** Which rule it was: several may share a kind. */
  pattern: number;
  /** UTF-16 offsets of the secret itself, without the name or the quotes around it. */
  start: number;
  end: number;
}

export type Range = readonly [start: number, end: number];

export interface SecretRule {
  kind: string;
  mode: RuleMode;
  /** Literals to look for; the rule is asked only where one of them stands. */
  literals: readonly string[];
  /** The literals are in lower case and stand for any case. */
  anyCase: boolean;
  /** A literal in the middle of a word counts too. */
  glued: boolean;
  /** The range comes from what stands around it (a name, a URL), and may hold the match of another rule. */
  context: boolean;
  /** Its work is bounded by a constant, or by what it then matches, so that a scan stays linear on hostile text. `from` is the end of the match before. Several ranges: of a rule with `context` alone. */
  find(text: string, at: number, from: number): Range | readonly Range[] | null;
}

export interface TokenOptions {
  mode?: RuleMode;
  glued?: boolean;
  /** Characters of the token that stand before the literal, each count tried in turn. */
  before?: readonly number[];
  /** Least entropy in bits a character; sorts out words and fillers. */
  entropy?: number;
}

export const ALNUM = '[A-Za-z0-9]';
export const HEX = '[0-9a-fA-F]';
export const WORD = '[\\w-]';

/** A token with a shape of its own: literals, parted by blanks, and a pattern for the whole token. */
export type TokenRow = readonly [kind: string, literals: string, shape: string, options?: TokenOptions];

export function toTokenRule([kind, literals, shape, options]: TokenRow, usual: TokenOptions = {}): SecretRule {
  return tokenRule(kind, literals.split(' '), shape, { ...usual, ...options });
}

/** Rules that are made when they are asked for, one by one: of hundreds, a text needs a few. */
export interface RuleGroup {
  size(): number;
  at(place: number): SecretRule;
}

export function groupRules<Row>(listRows: () => readonly Row[], toRule: (row: Row) => SecretRule): RuleGroup {
  const rows = once(listRows);
  const made: SecretRule[] = [];
  return {
    size: () => rows().length,
    at(place) {
      made[place] ??= toRule(rows()[place]!);
      return made[place];
    },
  };
}

/** `xxxxxxxx`, `00000000`: no generator makes that. */
const BLOT = /([xX0*])\1{7}/;

function tokenRule(kind: string, literals: readonly string[], shape: string, options: TokenOptions): SecretRule {
  const { mode = 'redact', glued = false, before = [0], entropy } = options;
  const whole = compileOnce(shape, 'y');
  // The least that matches, judged before the rest is read: a run that goes on for a megabyte and is then found to be a filler would be read again at each literal in it.
  const least = once(() => new RegExp(shape.replace(/\{(\d+),\}(?=$|[)|]|={0)/g, '{$1}'), 'y'));
  const find = (text: string, at: number, from: number): Range | null => {
    for (const count of before) {
      const start = at - count;
      if (start < from || (count > 0 && start > from && !isWordStart(text, start))) continue;
      if (entropy !== undefined) {
        const match = matchAt(least(), text, start);
        if (match === null || measureEntropy(match[0]) < entropy || BLOT.test(match[0])) continue;
      }
      const match = matchAt(whole(), text, start);
      if (match !== null) return [start, start + match[0].length];
    }
    return null;
  };
  return { kind, mode, literals, anyCase: false, glued: glued || options.before !== undefined, context: false, find };
}

/** What a sticky pattern matches there, and nowhere else. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Rules are tables read at start; their patterns are compiled at the first text that needs them. */
export function compileOnce(source: string, flags: string): () => RegExp {
  let pattern: RegExp | undefined;
  return () => {
    pattern ??= new RegExp(source, flags);
    return pattern;
  };
}

/** Not inside a word; names in front of it end with an underscore (`STRIPE_sk_live_…`). The letter of an escape (`\n` in JSON text, `%3D` in a URL) does not count as one. */
export function isWordStart(text: string, at: number): boolean {
  if (at === 0 || !isWordCode(text.charCodeAt(at - 1))) return true;
  const previous = text[at - 1]!;
  if ('nrt'.includes(previous) && text[at - 2] === '\\') return true;
  return text[at - 3] === '%' && /^[0-9A-Fa-f]{2}$/.test(text.slice(at - 2, at));
}

function isWordCode(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

const counts = new Uint16Array(128);

/** Shannon entropy in bits a character. */
export function measureEntropy(text: string): number {
  counts.fill(0);
  for (let i = 0; i < text.length; i++) counts[text.charCodeAt(i) & 127]!++;
  let entropy = 0;
  for (let i = 0; i < 128; i++) {
    const count = counts[i]!;
    if (count > 0) entropy -= (count / text.length) * Math.log2(count / text.length);
  }
  return entropy;
}

/** What a rule found, one or several. */
export function listRanges(found: Range | readonly Range[] | null): readonly Range[] {
  if (found === null) return [];
  return isRange(found) ? [found] : found;
}

function isRange(found: Range | readonly Range[]): found is Range {
  return typeof found[0] === 'number';
}

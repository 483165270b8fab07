import { ASSIGNMENT_RULES } from './assignment-rules.ts';
import { CODE_RULES } from './code-rules.ts';
import { COMMAND_RULES } from './command-rules.ts';
import { decodeRuns } from './decode-runs.ts';
import { PACKET_RULES } from './packet-rules.ts';
import { PROSE_RULES } from './prose-rules.ts';
import {
  type Finding,
  isWordStart,
  listRanges,
  measureEntropy,
  type RuleMode,
  type SecretRule,
} from './secret-rule.ts';
import { TABLE_RULE } from './table-rule.ts';
import { joinCutLines, readPlainly, type TextView } from './text-view.ts';
import { URL_RULES } from './url-rules.ts';
import { VENDOR_ASSIGNMENT_RULES } from './vendor-assignment-rules.ts';
import { VENDOR_TOKEN_RULES } from './vendor-token-rules.ts';

export const SECRET_RULES: readonly SecretRule[] = [
  ...PACKET_RULES,
  ...VENDOR_TOKEN_RULES,
  ...URL_RULES,
  ...COMMAND_RULES,
  ...VENDOR_ASSIGNMENT_RULES,
  ...ASSIGNMENT_RULES,
  ...PROSE_RULES,
  ...CODE_RULES,
  TABLE_RULE,
];

interface IndexedLiteral {
  literal: string;
  rule: SecretRule;
  /** The rule's place in the table. */
  pattern: number;
}

/** Rules by the first two characters of their literals, so that text without any of these pairs is passed over at the price of a table look-up. */
interface RuleIndex {
  /** 1 + the place in `lists`, or 0, by `first * 128 + second`. */
  pairs: Uint16Array;
  /** The same for literals that do not begin with ASCII, by their first character. */
  wide: Uint16Array;
  /** Longer literals first: the nearer description wins. */
  lists: readonly (readonly IndexedLiteral[])[];
}

/** Built at the first use, once: of all rules, and of those for tokens with a shape of their own. A hook that lives for milliseconds pays for it, too. */
let indexOfAll: RuleIndex | undefined;
let indexOfTokens: RuleIndex | undefined;

function allRules(): RuleIndex {
  indexOfAll ??= buildIndex(SECRET_RULES);
  return indexOfAll;
}

function tokenRules(): RuleIndex {
  indexOfTokens ??= buildIndex(SECRET_RULES, ({ context }) => !context);
  return indexOfTokens;
}

function buildIndex(rules: readonly SecretRule[], isWanted: (rule: SecretRule) => boolean = () => true): RuleIndex {
  const pairs = new Uint16Array(128 * 128);
  const wide = new Uint16Array(0x10000);
  const lists: IndexedLiteral[][] = [];
  const add = (table: Uint16Array, place: number, entry: IndexedLiteral): void => {
    if (table[place] === 0) table[place] = lists.push([entry]);
    else if (lists[table[place]! - 1]!.at(-1) !== entry) lists[table[place]! - 1]!.push(entry);
  };
  for (let pattern = 0; pattern < rules.length; pattern++) {
    const rule = rules[pattern]!;
    if (!isWanted(rule)) continue;
    for (const literal of rule.literals) {
      const entry = { literal, rule, pattern };
      const first = literal.charCodeAt(0);
      const second = literal.charCodeAt(1);
      if (first >= 128) add(wide, first, entry);
      else if (rule.anyCase)
        for (const one of [first, upperCode(first)])
          for (const two of [second, upperCode(second)]) add(pairs, one * 128 + two, entry);
      else add(pairs, first * 128 + second, entry);
    }
  }
  for (const list of lists)
    if (list.length > 1)
      list.sort((a, b) => Number(a.rule.context) - Number(b.rule.context) || b.literal.length - a.literal.length);
  return { pairs, wide, lists };
}

/** Of a literal in lower case. */
function upperCode(code: number): number {
  return code >= 97 && code <= 122 ? code - 32 : code;
}

const STRENGTH: Record<RuleMode, number> = { redact: 2, block: 1, flag: 0 };

/** `decoded`: it says the secret in Base64. */
type Candidate = Finding & { context: boolean; decoded?: boolean };

/** Base64 in Base64 is read, and nothing deeper. */
const DEEPEST = 2;

/**
 * Everything in a text that should not leave the machine, in order, without overlaps; also where it is cut by a line end or by characters that nobody sees, or
 * written with escapes or in Base64. Time grows with the length alone.
 */
export function findSecrets(text: string): Finding[] {
  return findAtDepth(text, 0).map(({ kind, mode, pattern, start, end }) => ({ kind, mode, pattern, start, end }));
}

function findAtDepth(text: string, depth: number): Candidate[] {
  const candidates = scan(text, allRules());
  const view = readPlainly(text);
  if (view !== null) for (const found of findInView(view, depth)) candidates.push(moveBack(found, view));
  for (const found of findAcrossLines(text, depth)) candidates.push(found);
  for (const found of findInBase64(text, depth)) candidates.push(found);
  return candidates.length === 0 ? [] : settle(candidates);
}

function findInView(view: TextView, depth: number): Candidate[] {
  return [...scan(view.text, allRules()), ...findAcrossLines(view.text, depth), ...findInBase64(view.text, depth)];
}

function moveBack(found: Candidate, { mapBack }: TextView): Candidate {
  const [start, end] = mapBack([found.start, found.end]);
  return { ...found, start, end };
}

/** What begins on one line and ends on another. */
function* findAcrossLines(text: string, depth: number): Generator<Candidate> {
  for (const view of joinCutLines(text)) {
    const found = [...scan(view.text, tokenRules()), ...findInBase64(view.text, depth)];
    for (const one of found) {
      const end = leaveNextLine(view, one);
      if (view.seamBefore(end) > one.start) yield moveBack({ ...one, end }, view);
    }
  }
}

/** Lines after the token that hold one word each, and nothing else. */
const MOST_WORDS = 3;

/** The match may have run on into a word of the line after it: then it ends with its own line, if it is whole there. */
function leaveNextLine(view: TextView, { start, end, pattern, decoded }: Candidate): number {
  const { text } = view;
  let last = end;
  for (let words = 0; words < MOST_WORDS; words++) {
    const seam = view.seamBefore(last);
    if (seam <= start || looksCutOff(text.slice(seam, last), last === text.length)) break;
    const whole = decoded ? ([start, seam] as const) : SECRET_RULES[pattern]!.find(text.slice(0, seam), start, start);
    if (listRanges(whole)[0]?.[1] !== seam) break;
    last = seam;
  }
  return last;
}

/** Random, as the rest of a token is, and not a word. */
function looksCutOff(piece: string, isWholeLine: boolean): boolean {
  return (
    (isWholeLine || piece.length >= 6) &&
    (/\d/.test(piece) ? /[A-Za-z]/.test(piece) : /[a-z][A-Z]|[A-Z]{2}[a-z]/.test(piece))
  );
}

/** Base64 that says a secret is one from its first character to its last. */
function* findInBase64(text: string, depth: number): Generator<Candidate> {
  if (depth >= DEEPEST) return;
  for (const run of decodeRuns(text)) {
    const inner = findAtDepth(run.text, depth + 1).find(({ mode }) => mode === 'redact');
    if (inner !== undefined) yield { ...inner, start: run.range[0], end: run.range[1], decoded: true };
  }
}

/** Prefixes that no word ends with, by accident and a token behind it: they count in the middle of a word, too. */
const UNMISTAKABLE = /^[a-z\d]{2,}[_-][a-z\d]{2,}[_-]$/i;

function looksRandom(token: string): boolean {
  return /\d.*\d/.test(token) && measureEntropy(token.slice(0, 64)) >= 3.5;
}

function scan(text: string, { pairs, wide, lists }: RuleIndex): Candidate[] {
  const found: Candidate[] = [];
  let from = 0;
  let first = text.charCodeAt(0);
  for (let at = 0; at + 1 < text.length; at++) {
    const second = text.charCodeAt(at + 1);
    const list = first >= 128 ? wide[first]! : second < 128 ? pairs[first * 128 + second]! : 0;
    first = second;
    if (list === 0) continue;
    for (const { literal, rule, pattern } of lists[list - 1]!) {
      const stands = rule.anyCase ? standsInAnyCase(text, at, literal) : text.startsWith(literal, at);
      // Right behind a match counts as the start of a word, because there it is one once the match has been replaced.
      if (!stands) continue;
      const isAtStart = rule.glued || (at === from && from > 0) || isWordStart(text, at);
      if (!isAtStart && !UNMISTAKABLE.test(literal)) continue;
      const { kind, mode, context } = rule;
      const ranges = listRanges(rule.find(text, at, from));
      if (!isAtStart && ranges.some((range) => !looksRandom(text.slice(...range)))) continue;
      if (ranges.length === 0) continue;
      for (const [start, end] of ranges) found.push({ kind, pattern, mode, context, start, end });
      if (rule.context) continue;
      from = ranges[0]![1];
      at = from - 1;
      first = text.charCodeAt(from);
      break;
    }
  }
  return found;
}

/** The literal is in lower case. */
function standsInAnyCase(text: string, at: number, literal: string): boolean {
  if (at + literal.length > text.length) return false;
  for (let i = 0; i < literal.length; i++) {
    const wanted = literal.charCodeAt(i);
    const code = text.charCodeAt(at + i);
    if (code === wanted) continue;
    if (code < 128 ? (code | 32) !== wanted || code < 65 || code > 90 : text[at + i]!.toLowerCase() !== literal[i])
      return false;
  }
  return true;
}

/** Of overlapping matches the stronger mode stays; equals become one, under the name that says more. */
function settle(candidates: Candidate[]): Candidate[] {
  const settled: Candidate[] = [];
  for (const next of candidates.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = settled.at(-1);
    if (last === undefined || next.start >= last.end) settled.push({ ...next });
    else if (STRENGTH[next.mode] > STRENGTH[last.mode]) settled[settled.length - 1] = { ...next };
    else if (next.mode === last.mode) {
      if (last.context && !next.context) Object.assign(last, { kind: next.kind, pattern: next.pattern });
      last.context &&= next.context;
      last.end = Math.max(last.end, next.end);
    }
  }
  return settled;
}

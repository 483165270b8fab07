import { once } from '../model/once.ts';
import { ASSIGNMENT_RULES } from './assignment-rules.ts';
import { CODE_RULES } from './code-rules.ts';
import { COMMAND_RULES } from './command-rules.ts';
import { decodeRuns, findRuns } from './decode-runs.ts';
import { findBareBodies } from './key-body.ts';
import { PACKET_RULES } from './packet-rules.ts';
import { PLURAL_RULES } from './plural-rule.ts';
import { GROUP_SIZES, RULE_INDEX } from './precomputed-rules.ts';
import { PROSE_RULES } from './prose-rules.ts';
import { forgetAssigned } from './read-assigned.ts';
import { ANY_CASE, CONTEXT, GLUED, type IndexedLiteral, NOT_ASCII, type RuleIndex, readIndex } from './rule-index.ts';
import {
  type Finding,
  isWordStart,
  listRanges,
  measureEntropy,
  type Range,
  type RuleGroup,
  type RuleMode,
  type SecretRule,
} from './secret-rule.ts';
import { TABLE_RULE } from './table-rule.ts';
import { joinCutLines, readPlainly, type TextView } from './text-view.ts';
import { URL_RULES } from './url-rules.ts';
import { VENDOR_ASSIGNMENT_RULES } from './vendor-assignment-rules.ts';
import { VENDOR_TOKEN_RULES } from './vendor-token-rules.ts';

/** In this order, which the index was made of. */
const GROUPS: readonly RuleGroup[] = [
  PACKET_RULES,
  VENDOR_TOKEN_RULES,
  asTheyAre(URL_RULES),
  COMMAND_RULES,
  VENDOR_ASSIGNMENT_RULES,
  asTheyAre(ASSIGNMENT_RULES),
  asTheyAre(PROSE_RULES),
  asTheyAre(CODE_RULES),
  asTheyAre([TABLE_RULE, ...PLURAL_RULES]),
];

function asTheyAre(rules: readonly SecretRule[]): RuleGroup {
  return { size: () => rules.length, at: (place) => rules[place]! };
}

/** How many rules each group has. */
export function measureGroups(): number[] {
  return GROUPS.map((group) => group.size());
}

/** All of them, in the order of their numbers. */
export function listRules(): readonly SecretRule[] {
  return GROUPS.flatMap((group) => Array.from({ length: group.size() }, (_, place) => group.at(place)));
}

function ruleAt(pattern: number): SecretRule {
  let first = 0;
  for (let i = 0; i < GROUPS.length; i++) {
    const size = GROUP_SIZES[i]!;
    if (pattern < first + size) return GROUPS[i]!.at(pattern - first);
    first += size;
  }
  throw new Error(`There is no rule ${pattern}.`);
}

const ruleIndex = once(() => readIndex(RULE_INDEX));

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
  const found = findAtDepth(text, 0);
  forgetAssigned();
  return found.map(({ kind, mode, pattern, start, end }) => ({ kind, mode, pattern, start, end }));
}

function findAtDepth(text: string, depth: number): Candidate[] {
  const candidates = scan(text);
  const view = readPlainly(text);
  if (view !== null) for (const found of findInView(view, depth)) candidates.push(moveBack(found, view));
  for (const found of findAcrossLines(text, depth)) candidates.push(found);
  const runs = findRuns(text);
  for (const found of findInBase64(text, depth, runs)) candidates.push(found);
  for (const found of findInLines(text, runs)) candidates.push(found);
  return candidates.length === 0 ? [] : settle(candidates);
}

function findInView(view: TextView, depth: number): Candidate[] {
  return [...scan(view.text), ...findAcrossLines(view.text, depth), ...findInBase64(view.text, depth)];
}

function moveBack(found: Candidate, { mapBack }: TextView): Candidate {
  const [start, end] = mapBack([found.start, found.end]);
  return { ...found, start, end };
}

/** What begins on one line and ends on another. */
function findAcrossLines(text: string, depth: number): Candidate[] {
  const across: Candidate[] = [];
  if (!text.includes('\n') && !text.includes('\\n')) return across;
  for (const view of joinCutLines(text)) {
    const found = [...scan(view.text, CONTEXT), ...findInBase64(view.text, depth)];
    for (const one of found) {
      const end = leaveNextLine(view, one);
      if (view.seamBefore(end) > one.start) across.push(moveBack({ ...one, end }, view));
    }
  }
  return across;
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
    const whole = decoded ? ([start, seam] as const) : ruleAt(pattern).find(text.slice(0, seam), start, start);
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
function findInBase64(text: string, depth: number, runs?: readonly Range[]): Candidate[] {
  const decoded: Candidate[] = [];
  if (depth >= DEEPEST) return decoded;
  for (const run of decodeRuns(text, runs)) {
    const inner = findAtDepth(run.text, depth + 1).find(({ mode }) => mode === 'redact');
    if (inner !== undefined) decoded.push({ ...inner, start: run.range[0], end: run.range[1], decoded: true });
  }
  return decoded;
}

/** Lines of a private key whose head is missing. */
function findInLines(text: string, runs: readonly Range[]): Candidate[] {
  return findBareBodies(text, runs)
    .flat()
    .map(
      ([start, end]) =>
        ({ kind: 'private-key', mode: 'redact', pattern: keyPattern(), context: false, start, end }) as const,
    );
}

const keyPattern = once(() => listRules().findIndex(({ kind }) => kind === 'private-key'));

/** Prefixes that no word ends with, by accident and a token behind it: they count in the middle of a word, too. */
const UNMISTAKABLE = /^[a-z\d]{2,}[_-][a-z\d]{2,}[_-]$/i;

function looksRandom(token: string): boolean {
  return /\d.*\d/.test(token) && measureEntropy(token.slice(0, 64)) >= 3.5;
}

/** Without the rules that have one of the flags in `without`. */
function scan(text: string, without = 0): Candidate[] {
  const index = ruleIndex();
  const found: Candidate[] = [];
  const asked: Asked = { at: 0, from: 0, shut: 0, without };
  for (let at = seekLiteral(text, 0, index); at !== -1; ) {
    asked.at = at;
    const end = askRules(text, asked, { entries: listAt(text, at, index)!, found });
    if (end !== -1) asked.from = end;
    at = seekLiteral(text, end === -1 ? at + 1 : end, index);
  }
  return found;
}

/**
 * The first place from `start` on where the literal of a rule stands; -1: none. It is all that most texts are asked for. On its own, it is compiled once: with what
 * follows a hit in its loop, every new kind of hit would throw away what was compiled of it.
 */
function seekLiteral(text: string, start: number, { pairs, wide, lists, thirds }: RuleIndex): number {
  const last = text.length - 1;
  if (start >= last) return -1;
  let first = text.charCodeAt(start);
  for (let at = start; at < last; at++) {
    const second = text.charCodeAt(at + 1);
    const list = first >= NOT_ASCII ? wide[first]! : second < NOT_ASCII ? pairs[first * NOT_ASCII + second]! : 0;
    first = second;
    if (list === 0) continue;
    const third = at + 2 <= last ? text.charCodeAt(at + 2) : NOT_ASCII;
    if (third < NOT_ASCII && thirds[(list - 1) * NOT_ASCII + third] === 0) continue;
    const entries = lists[list - 1]!;
    for (let i = 0; i < entries.length; i++) if (stands(text, at, entries[i]!)) return at;
  }
  return -1;
}

/** Those whose literals may stand here. */
function listAt(text: string, at: number, { pairs, wide, lists }: RuleIndex) {
  const first = text.charCodeAt(at);
  const list = first >= NOT_ASCII ? wide[first]! : pairs[first * NOT_ASCII + text.charCodeAt(at + 1)]!;
  return lists[list - 1];
}

interface Asked {
  at: number;
  /** Where the match before ended. */
  from: number;
  /** Where the last path or address ended: it is no secret and may hold one, and is not read again at each of its parts. */
  shut: number;
  without: number;
}

/** Where the match ends from which the search goes on; -1: there is none. */
function askRules(
  text: string,
  asked: Asked,
  { entries, found }: { entries: readonly IndexedLiteral[]; found: Candidate[] },
): number {
  const { at, from, shut, without } = asked;
  for (const entry of entries) {
    const [literal, pattern, flags] = entry;
    if ((flags & without) !== 0 || !stands(text, at, entry)) continue;
    // Right behind a match counts as the start of a word, because there it is one once the match has been replaced.
    const isAtStart = (flags & GLUED) !== 0 || (at === from && from > 0) || isWordStart(text, at);
    if (!isAtStart && !UNMISTAKABLE.test(literal)) continue;
    const { kind, mode, context, find } = ruleAt(pattern);
    if (mode === 'block' && at < shut) continue;
    const ranges = listRanges(find(text, at, from));
    if (!isAtStart && ranges.some((range) => !looksRandom(text.slice(...range)))) continue;
    if (ranges.length === 0) continue;
    for (const [start, end] of ranges) found.push({ kind, pattern, mode, context, start, end });
    if (mode === 'block') asked.shut = ranges[0]![1];
    else if (!context) return ranges.at(-1)![1];
  }
  return -1;
}

function stands(text: string, at: number, entry: IndexedLiteral): boolean {
  const literal = entry[0];
  if ((entry[2] & ANY_CASE) !== 0) return standsInAnyCase(text, at, literal);
  // Most that share two characters differ in the third.
  return (literal.length < 3 || text.charCodeAt(at + 2) === literal.charCodeAt(2)) && text.startsWith(literal, at);
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

import { ASSIGNMENT_RULES } from './assignment-rules.ts';
import { PACKET_RULES } from './packet-rules.ts';
import { type Finding, isWordStart, type RuleMode, type SecretRule } from './secret-rule.ts';
import { URL_RULES } from './url-rules.ts';
import { VENDOR_ASSIGNMENT_RULES } from './vendor-assignment-rules.ts';
import { VENDOR_TOKEN_RULES } from './vendor-token-rules.ts';

export const SECRET_RULES: readonly SecretRule[] = [
  ...PACKET_RULES,
  ...VENDOR_TOKEN_RULES,
  ...URL_RULES,
  ...VENDOR_ASSIGNMENT_RULES,
  ...ASSIGNMENT_RULES,
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
  /** Longer literals first: the nearer description wins. */
  lists: readonly (readonly IndexedLiteral[])[];
}

let shared: RuleIndex | undefined;

/** Built at the first use, once. */
function ruleIndex(): RuleIndex {
  shared ??= buildIndex(SECRET_RULES);
  return shared;
}

function buildIndex(rules: readonly SecretRule[]): RuleIndex {
  const byPair = new Map<number, IndexedLiteral[]>();
  for (const [pattern, rule] of rules.entries()) {
    for (const literal of rule.literals) {
      for (const pair of pairsOf(literal, rule.anyCase))
        byPair.set(pair, [...(byPair.get(pair) ?? []), { literal, rule, pattern }]);
    }
  }
  const pairs = new Uint16Array(128 * 128);
  const lists = [...byPair].map(([pair, list], i) => {
    pairs[pair] = i + 1;
    return list.toSorted(
      (a, b) => Number(a.rule.context) - Number(b.rule.context) || b.literal.length - a.literal.length,
    );
  });
  return { pairs, lists };
}

function pairsOf(literal: string, anyCase: boolean): Set<number> {
  const forms = (character: string): string[] =>
    anyCase ? [character.toLowerCase(), character.toUpperCase()] : [character];
  return new Set(
    forms(literal[0]!).flatMap((first) =>
      forms(literal[1]!).map((second) => first.charCodeAt(0) * 128 + second.charCodeAt(0)),
    ),
  );
}

const STRENGTH: Record<RuleMode, number> = { redact: 2, block: 1, flag: 0 };

type Candidate = Finding & { context: boolean };

/** Everything in a text that should not leave the machine, in order, without overlaps. One pass; time grows with the length alone. */
export function findSecrets(text: string): Finding[] {
  const candidates = scan(text, ruleIndex());
  if (candidates.length === 0) return [];
  return settle(candidates).map(({ context: _, ...finding }) => finding);
}

function scan(text: string, { pairs, lists }: RuleIndex): Candidate[] {
  const found: Candidate[] = [];
  let from = 0;
  let first = text.charCodeAt(0);
  for (let at = 0; at + 1 < text.length; at++) {
    const second = text.charCodeAt(at + 1);
    const list = first < 128 && second < 128 ? pairs[first * 128 + second]! : 0;
    first = second;
    if (list === 0) continue;
    for (const { literal, rule, pattern } of lists[list - 1]!) {
      const stands = rule.anyCase
        ? text.slice(at, at + literal.length).toLowerCase() === literal
        : text.startsWith(literal, at);
      // Right behind a match counts as the start of a word, because there it is one once the match has been replaced.
      if (!stands || !(rule.glued || (at === from && from > 0) || isWordStart(text, at))) continue;
      const range = rule.find(text, at, from);
      if (range === null) continue;
      found.push({ kind: rule.kind, pattern, mode: rule.mode, context: rule.context, start: range[0], end: range[1] });
      if (rule.context) continue;
      from = range[1];
      at = from - 1;
      first = text.charCodeAt(from);
      break;
    }
  }
  return found;
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

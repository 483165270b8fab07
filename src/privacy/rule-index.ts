import { ASSIGNMENT_RULES } from './assignment-rules.ts';
import { PACKET_RULES } from './packet-rules.ts';
import type { SecretRule } from './secret-rule.ts';
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

export interface IndexedLiteral {
  literal: string;
  rule: SecretRule;
  /** The rule's place in the table. */
  pattern: number;
}

/** Rules by the first two characters of their literals, so that text without any of these pairs is passed over at the price of a table look-up. */
export interface RuleIndex {
  /** 1 + the place in `lists`, or 0, by `first * 128 + second`. */
  pairs: Uint16Array;
  /** Longer literals first: the nearer description wins. */
  lists: readonly (readonly IndexedLiteral[])[];
}

let shared: RuleIndex | undefined;

/** Built at the first use, once. */
export function ruleIndex(): RuleIndex {
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

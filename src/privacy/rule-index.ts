import type { SecretRule } from './secret-rule.ts';

/** Where a rule is asked: its literal, its place in the table of rules, and the flags below. */
export type IndexedLiteral = readonly [literal: string, pattern: number, flags: number];

/** The first code that is not. */
export const NOT_ASCII = 128;
export const ANY_CASE = 1;
export const GLUED = 2;
export const CONTEXT = 4;

/** Rules by the first two characters of their literals, so that text without any of these pairs is passed over at the price of a table look-up. */
export interface RuleIndex {
  /** 1 + the place in `lists`, or 0, by `first * 128 + second`. */
  pairs: Uint16Array;
  /** The same for literals that do not begin with ASCII, by their first character. */
  wide: Uint16Array;
  /** Longer literals first: the nearer description wins. */
  lists: readonly (readonly IndexedLiteral[])[];
  /** 1 where a literal of a list may go on with an ASCII character, by `list * 128 + character`: of the pairs that stand in texts, one in seven goes on so. */
  thirds: Uint8Array;
}

interface Written {
  /** A pair and its list, one after the other. */
  pairs: readonly number[];
  wide: readonly number[];
  lists: RuleIndex['lists'];
}

/** As text, which Node reads faster than it runs the loops that make it: a hook that lives for milliseconds pays for both. */
export function writeIndex(rules: readonly SecretRule[]): string {
  const byPair = new Map<number, IndexedLiteral[]>();
  for (const [pattern, rule] of rules.entries())
    for (const literal of rule.literals) {
      const flags = (rule.anyCase ? ANY_CASE : 0) | (rule.glued ? GLUED : 0) | (rule.context ? CONTEXT : 0);
      for (const pair of pairsOf(literal, rule.anyCase))
        byPair.set(pair, [...(byPair.get(pair) ?? []), [literal, pattern, flags]]);
    }
  const lists: string[] = [];
  const written = { pairs: [] as number[], wide: [] as number[] };
  for (const [pair, list] of byPair) {
    const sorted = list.toSorted((a, b) => (a[2] & CONTEXT) - (b[2] & CONTEXT) || b[0].length - a[0].length);
    const text = JSON.stringify(sorted);
    if (!lists.includes(text)) lists.push(text);
    const place = lists.indexOf(text) + 1;
    if (pair < 128 * 128) written.pairs.push(pair, place);
    else written.wide.push(pair - 128 * 128, place);
  }
  return `{"pairs":${JSON.stringify(written.pairs)},"wide":${JSON.stringify(written.wide)},"lists":[${lists.join()}]}`;
}

function pairsOf(literal: string, anyCase: boolean): Set<number> {
  const first = literal.charCodeAt(0);
  if (first >= 128) return new Set([128 * 128 + first]);
  const forms = (character: string): string[] =>
    anyCase ? [character.toLowerCase(), character.toUpperCase()] : [character];
  return new Set(
    forms(literal[0]!).flatMap((one) =>
      forms(literal[1]!).map((second) => one.charCodeAt(0) * 128 + second.charCodeAt(0)),
    ),
  );
}

export function readIndex(text: string): RuleIndex {
  const { pairs, wide, lists } = JSON.parse(text) as Written;
  return { pairs: fill(128 * 128, pairs), wide: fill(0x10000, wide), lists, thirds: listThirds(lists) };
}

function listThirds(lists: RuleIndex['lists']): Uint8Array {
  const thirds = new Uint8Array(lists.length * NOT_ASCII);
  for (const [place, list] of lists.entries()) {
    const of = thirds.subarray(place * NOT_ASCII, (place + 1) * NOT_ASCII);
    for (const [literal, , flags] of list) {
      const third = literal[2];
      if (third === undefined) of.fill(1);
      else if (third.charCodeAt(0) < NOT_ASCII) of[third.charCodeAt(0)] = 1;
      if (third !== undefined && (flags & ANY_CASE) !== 0) of[third.toUpperCase().charCodeAt(0)] = 1;
    }
  }
  return thirds;
}

function fill(length: number, places: readonly number[]): Uint16Array {
  const table = new Uint16Array(length);
  for (let at = 0; at < places.length; at += 2) table[places[at]!] = places[at + 1]!;
  return table;
}

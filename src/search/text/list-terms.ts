import { composeForms } from './fold.ts';
import { scanTerms, type TermRole } from './scan-terms.ts';
import type { KnownWord } from './word-term.ts';

/** The index terms of a text in order, each with the place it came from. */
export interface ListedTerms {
  /** The text as it was cut, composed; places are those in it. */
  readonly text: string;
  readonly terms: readonly string[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  readonly roles: readonly TermRole[];
  /** What is known of each, where it is one word. */
  readonly words: readonly (KnownWord | undefined)[];
}

/** Longer texts are cut again each time. */
const LONGEST_KEPT = 10_000;
/** A new memory is compared with others and then put into the index, and between the two another may come. */
const MAX_KEPT = 8;
const kept = new Map<string, ListedTerms>();

/** The last few are remembered. */
export function listTerms(raw: string): ListedTerms {
  const known = kept.get(raw);
  if (known !== undefined) return known;
  const listed = scan(composeForms(raw));
  if (raw.length > LONGEST_KEPT) return listed;
  if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value!);
  kept.set(raw, listed);
  return listed;
}

function scan(text: string): ListedTerms {
  const terms: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const roles: TermRole[] = [];
  const words: (KnownWord | undefined)[] = [];
  scanTerms(text, (term, start, end, role, word) => {
    terms.push(term);
    starts.push(start);
    ends.push(end);
    roles.push(role);
    words.push(word);
  });
  return { text, terms, starts, ends, roles, words };
}

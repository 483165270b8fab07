/** What the rules need to know of a language that writes spaces between words, to read a sentence as subject, verb and object. */
export interface Grammar {
  language: string;
  /** Verbs that say how something is, each with the one that it counts as; those of events are left out. */
  verbs: ReadonlyMap<string, string>;
  /** Also auxiliaries: verbs only where an article, a number or a negation follows. */
  having: ReadonlySet<string>;
  modals: ReadonlySet<string>;
  negations: ReadonlySet<string>;
  fillers: ReadonlySet<string>;
  /** Nobody knows who or what is meant. */
  pointing: ReadonlySet<string>;
  /** Whoever writes or reads. */
  us: ReadonlySet<string>;
  /** What was, or holds in some case only, contradicts nothing that is. */
  bound: RegExp;
  days: ReadonlySet<string>;
  /** What something has one of at a time, without accents. */
  single: RegExp;
  /** Beginnings of words that exclude each other, without accents. */
  opposites: readonly (readonly [string, string])[];
  /** Words whose first letter is a capital are names. */
  capitalsAreNames: boolean;
  /** Pronouns are left out: a sentence that begins with a verb says nothing of whom, unless its ending does. */
  dropsPronouns: boolean;
  /** Before it is cut into words. */
  prepare?: (sentence: string) => string;
}

export function words(text: string): Set<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ''));
}

/** `is=be are=be`, by the word as it is written. */
export function verbs(text: string): Map<string, string> {
  return new Map([...words(text)].map((pair) => pair.split('=') as [string, string]));
}

export function pairs(text: string): (readonly [string, string])[] {
  return [...words(text)].map((pair) => pair.split('/') as [string, string]);
}

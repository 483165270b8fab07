/** What is worth keeping of what was said. */
export const STATEMENT_TYPES = ['decision', 'bug', 'convention', 'learning', 'context'] as const;
export type StatementType = (typeof STATEMENT_TYPES)[number];

export interface StatementRule {
  type: StatementType;
  pattern: RegExp;
  /** How often a sentence like this is one, before anything else is known of it. */
  confidence: number;
  /** Said by a model it is an explanation more often than a statement about this work. */
  isUsers?: true;
}

/** The rules of one language, with the words that say more about a sentence. */
export interface LanguageRules {
  language: string;
  rules: readonly StatementRule[];
  /** It says why. */
  reason: RegExp;
  /** It says that it is not sure. */
  doubt: RegExp;
  /** It asks, plans, offers or supposes: nothing of it has happened. */
  notYet: RegExp;
  /** It points at the sentence before it. */
  pointsBack: RegExp;
}

/** Whole words of a language that parts them by blanks; in the pattern, a blank stands for any run of blanks. */
export function words(pattern: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${pattern.replaceAll(' ', '\\s+')})(?![\\p{L}\\p{N}_])`, 'iu');
}

/** The same at the beginning of a sentence. */
export function opening(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern.replaceAll(' ', '\\s+')})(?![\\p{L}\\p{N}_])`, 'iu');
}

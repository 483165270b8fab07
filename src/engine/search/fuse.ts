import { NO_MEANING } from './score-vectors.ts';
import type { WordTrust } from './trust-words.ts';

/** What a passage gets for one word as rare as can be, where it holds all that was asked. */
const TEXT_UNIT = 7.5;
/** What a passage gets for each standard deviation by which its meaning is nearer than usual. */
const MEANING_UNIT = 1.3;
/** In deviations. A passage that holds the very identifier asked for is not to be buried because it speaks of something else besides. */
const FARTHEST = -1;
/** Added to every match, so that one whose meaning lies farther off than usual stays one. */
export const MATCH_BASE = 1;
/** Whatever is compared is a match, however weak. */
const WEAKEST = 0.01;

/** How the cosines of a query with everything in the searched spaces are spread. */
export interface Spread {
  mean: number;
  deviation: number;
}

export interface Legs {
  /** null: meaning alone. */
  text: Float32Array | null;
  /** Cosines; NO_MEANING where a doc was not compared. */
  meaning: Float32Array;
  spread: Spread;
  /** The idf of a word that nothing holds. */
  rarest: number;
  trust: WordTrust;
  weights: Weights;
}

/** What the operator thinks of each side; 1 is as measured. */
export interface Weights {
  words: number;
  meaning: number;
}

/**
 * Words and meaning of a doc in one score, in units that do not depend on how much is stored: words by how much of the rarest possible word
 * they amount to, meaning by how far it stands out. Never negative; 0 is no match.
 */
export function fuseDoc({ text, meaning, spread, rarest, trust, weights }: Legs, doc: number): number {
  const words = text === null ? 0 : (relyOn(text[doc]!, trust) * TEXT_UNIT * weights.words) / rarest;
  const compared = meaning[doc]! > NO_MEANING;
  if (!compared && words === 0) return 0;
  const sense = compared ? MEANING_UNIT * weights.meaning * Math.max(FARTHEST, standOut(meaning[doc]!, spread)) : 0;
  return Math.max(WEAKEST, MATCH_BASE + words + sense);
}

/** What a passage says in the question's words counts by the root of the share of the question that it holds: one word of five is mostly chance. */
function relyOn(score: number, { question, whole }: WordTrust): number {
  return score < whole ? score * question * Math.sqrt(score / whole) : score * question;
}

/** In standard deviations. */
function standOut(cosine: number, { mean, deviation }: Spread): number {
  return (cosine - mean) / deviation;
}

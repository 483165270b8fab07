import { NO_MEANING } from './score-vectors.ts';

/** What a passage gets for holding one word as rare as can be. */
const TEXT_UNIT = 5;
/** What a passage gets for each standard deviation by which its meaning is nearer than usual. */
const MEANING_UNIT = 1.4;
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
  /** 0 to 1: how far the words of the question can be relied on. */
  trust: number;
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
  const words = text === null ? 0 : (text[doc]! * TEXT_UNIT * trust * weights.words) / rarest;
  const compared = meaning[doc]! > NO_MEANING;
  if (!compared && words === 0) return 0;
  const sense = compared ? MEANING_UNIT * weights.meaning * Math.max(FARTHEST, standOut(meaning[doc]!, spread)) : 0;
  return Math.max(WEAKEST, MATCH_BASE + words + sense);
}

/** In standard deviations. */
function standOut(cosine: number, { mean, deviation }: Spread): number {
  return (cosine - mean) / deviation;
}

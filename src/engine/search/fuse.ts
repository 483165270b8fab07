import { NO_MEANING } from './score-vectors.ts';

const TEXT_WEIGHT = 1;
const MEANING_WEIGHT = 0.7;
/** What the least similar of the compared docs gets, so that it stays a match. */
const FLOOR = 0.1;
/** Scores are summed as whole numbers of this fraction: such sums are exact and do not depend on the order of the docs. */
const GRAIN = 1 / 1024;

/**
 * Words and meaning in one score, over whole arrays. Both are measured in standard deviations over the docs whose meaning was compared,
 * so that the side on which a doc stands out more decides: a rare identifier on words, a paraphrase on meaning. Never negative; 0 is no match.
 */
export function fuse(text: Float32Array | null, meaning: Float32Array, fused: Float32Array): void {
  const textScale = text === null ? 0 : TEXT_WEIGHT / deviation(text, meaning);
  const meaningScale = MEANING_WEIGHT / deviation(meaning, meaning);
  let least = Infinity;
  for (let doc = 0; doc < meaning.length; doc++) if (meaning[doc]! > NO_MEANING && meaning[doc]! < least) least = meaning[doc]!;
  for (let doc = 0; doc < meaning.length; doc++) {
    const byWords = text === null ? 0 : text[doc]! * textScale;
    fused[doc] = byWords + (meaning[doc]! > NO_MEANING ? (meaning[doc]! - least) * meaningScale + FLOOR : 0);
  }
}

/** Standard deviation of the values of the compared docs; 1 where they do not differ. */
function deviation(values: Float32Array, meaning: Float32Array): number {
  let [count, sum, squares] = [0, 0, 0];
  for (let doc = 0; doc < values.length; doc++) {
    if (meaning[doc]! <= NO_MEANING) continue;
    const grains = Math.round(values[doc]! / GRAIN);
    count++;
    sum += grains;
    squares += grains * grains;
  }
  const variance = count === 0 ? 0 : squares / count - (sum / count) ** 2;
  return variance > 0 ? Math.sqrt(variance) * GRAIN : 1;
}

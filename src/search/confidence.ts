import type { CosineScale } from './ports.ts';
import { listQuestionWords, type MeasuredHit, measureHit, type QuestionWord } from './question-words.ts';
import type { Ranked, Ranking } from './rank.ts';
import { MAX_STOP_WEIGHT, type ScoredTerm } from './resolve-terms.ts';
import { computeIdf } from './score.ts';
import { NO_SPACES, type QueryKind } from './text/query-kind.ts';
import { ANSWERS_FROM, adjustConfidence, gatherStoreEvidence, judgeStore, type StoreEvidence } from './verdict.ts';

/** For the usual sentence embedders. */
export const USUAL_COSINES: CosineScale = { unrelated: 0.3, related: 0.7 };

/**
 * From here on the best hit alone counts as an answer, where nothing more is known (verdict.ts). Among few passages more is asked for: in a store of
 * one memory whatever answers is right, and what does not is the best hit all the same.
 */
export function reliableFrom(passages: number): number {
  return 0.13 + 0.37 * Math.max(1, passages) ** -0.28;
}

/** What speaks for a hit. */
interface Evidence {
  /** The logarithm of how many passages there are: among more of them chance finds more. */
  size: number;
  /** One divided by how many there are: where there are hardly any, nothing stands out from the others. */
  few: number;
  /** The share of the question that nothing holds, and the logarithm of how much is asked. */
  unknown: number;
  asked: number;
  /** Its cosine, by how much that exceeds the mean of all, and how far those are spread, in units of the embedder's scale. */
  cosine: number;
  meaning: number;
  spread: number;
  /** The logarithm of its score, what it has before the best of the others, and its share that the others lack on average. */
  score: number;
  lead: number;
  above: number;
  /** The share of the question's words that it holds, less the most that another holds. */
  words: number;
}

/** What each piece is worth in log-odds, and how much more of that where there are few passages. */
type Worth = number | readonly [always: number, few: number];
type Coefficients = Readonly<Record<keyof Evidence | 'base', Worth>>;

const PIECES = 'size few unknown asked cosine meaning spread score lead above words'.split(' ') as (keyof Evidence)[];

const NO_MEANING = { cosine: 0, meaning: 0, spread: 0 };

/**
 * Fitted by logistic regression to which hits were right, where half of the questions had no answer in the store. docs/search.md says how often it
 * comes true on sets that it was not fitted to.
 */
const BY: Record<Ranking['searchedBy'], Coefficients> = {
  'text+meaning': {
    base: -6.149,
    size: -0.261,
    few: 3.021,
    unknown: 1.588,
    asked: -0.727,
    cosine: 0.551,
    meaning: 0.824,
    spread: 6.146,
    score: [1.377, -1.631],
    lead: [0.872, -0.486],
    above: [1.943, -1.466],
    words: [1.351, 11.03],
  },
  text: {
    base: -2.908,
    size: -0.567,
    few: 4.82,
    unknown: 0.491,
    asked: -0.679,
    ...NO_MEANING,
    score: [2.048, -1.927],
    lead: [0.405, 1.083],
    above: [0.262, -2.765],
    words: [5.33, 0.15],
  },
  meaning: {
    base: -5.491,
    size: -0.363,
    few: 2.824,
    unknown: 0.147,
    asked: -0.525,
    cosine: 0.692,
    meaning: 0.55,
    spread: 9.801,
    score: [1.636, -1.976],
    lead: [0.609, -0.541],
    above: [1.674, -1.146],
    words: [5.465, 7.881],
  },
};

interface Measured extends MeasuredHit {
  winner: Ranked;
}

/** A hit is judged beside the best ten, however many are shown. */
export const JUDGED_BESIDE = 10;

export interface Judge {
  /** 0 to 1: how likely a hit is what was asked for. */
  judge(winner: Ranked): number;
  /** The best hit is likely enough to be an answer, or the store to hold one. */
  isReliable: boolean;
  /** Neither the store nor the embedder knows what is asked. */
  isGibberish: boolean;
  /** What that was judged by; null: by the best hit alone. */
  evidence: (StoreEvidence & { answers: number }) | null;
}

interface Judging {
  ranking: Ranking;
  asks: QueryKind;
  /** Which words of the question each of the best ten holds, and each other that will be judged. */
  held: ReadonlyMap<Ranked, readonly ScoredTerm[]>;
}

export function createJudge({ ranking, asks, held }: Judging): Judge {
  const { best, plan } = ranking;
  const [first] = best;
  const words = listQuestionWords(plan);
  if (first === undefined || isGibberish(ranking, words))
    return { judge: () => 0, isReliable: false, isGibberish: first !== undefined, evidence: null };
  const measure = (winner: Ranked): Measured => ({ winner, ...measureHit(words, held.get(winner) ?? []) });
  const beside = best.slice(0, JUDGED_BESIDE).map(measure);
  const judgeHit = createHitJudge(ranking, words, beside);
  const judged = new Map(beside.map((hit) => [hit.winner, judgeHit(hit)]));
  const alone = (winner: Ranked): number => judged.get(winner) ?? judgeHit(measure(winner));
  const evidence = gatherStoreEvidence({ ranking, words, beside, confidence: alone(first) });
  if (evidence === null) {
    const isReliable = alone(first) >= reliableFrom(plan.docCount);
    return { judge: alone, isReliable, isGibberish: false, evidence };
  }
  const chance = judgeStore(evidence);
  const answers = beside[0]!.share >= NEARLY_ALL ? Math.max(chance, HOLDS_ALL) : chance;
  const most = adjustConfidence(alone(first), answers, asks);
  return {
    judge: (winner) => (winner === first ? most : Math.min(most, alone(winner))),
    isReliable: answers >= ANSWERS_FROM[asks],
    isGibberish: false,
    evidence: { ...evidence, answers },
  };
}

function createHitJudge(
  ranking: Ranking,
  words: readonly QuestionWord[],
  beside: readonly Measured[],
): (hit: Measured) => number {
  const worths = BY[ranking.searchedBy];
  const gather = gatherEvidence(ranking, words, beside);
  return (hit) => {
    const evidence = gather(hit);
    let logOdds = worths.base as number;
    for (const name of PIECES) {
      const worth = worths[name];
      logOdds += evidence[name] * (typeof worth === 'number' ? worth : worth[0] + worth[1] * evidence.few);
    }
    const judged = 1 / (1 + Math.exp(-logOdds));
    return hit.share >= NEARLY_ALL ? Math.max(judged, HOLDS_ALL) : judged;
  };
}

/**
 * A hit that holds nearly all that was asked bears on it, however many others do so too: a word that half of the memories hold is answered by all of them. Of
 * 8,000 questions of another store 8 had such a hit, of 8,000 about what had been left out 40.
 */
const NEARLY_ALL = 0.8;
const HOLDS_ALL = 0.75;

/**
 * No more than half of what is asked is words to the embedder, and none of it is in the store: what is near then is near by chance. Characters of scripts
 * without spaces are half known each, and say something.
 */
const MOST_UNKNOWN = 0.5;
const LETTER = /[\p{L}\p{N}]/u;
/** In a language that it spells out the answer lies at a cosine of 0.3 to 0.8, what is nearest to no language at 0.36 at most: on the embedder's scale 0.53. */
const NEAR_BY_CHANCE = 0.6;

function isGibberish(
  { best, searchedBy, familiarityOf, plan, cosines }: Ranking,
  words: readonly QuestionWord[],
): boolean {
  if (searchedBy === 'text' || familiarityOf === null) return false;
  if (plan.terms.some(({ query, matched }) => query.weight > MAX_STOP_WEIGHT && matched !== 'typo')) return false;
  const { unrelated, related } = cosines ?? USUAL_COSINES;
  if (((best[0]?.meaning ?? 0) - unrelated) / (related - unrelated) > NEAR_BY_CHANCE) return false;
  // of signs and emoji the embedder knows no more than whether they are the same
  if (!words.some(({ word }) => LETTER.test(word))) return true;
  const asked = words.filter(({ weight }) => weight > MAX_STOP_WEIGHT);
  // among many memories something is written nearly like any word
  const misspelt = asked.filter(({ isMissing }) => !isMissing);
  if (asked.length === 0 || misspelt.length >= asked.length / 2) return false;
  const text = asked.map(({ word }) => word).join(' ');
  const known = familiarityOf(text);
  return NO_SPACES.test(text) ? known < MOST_UNKNOWN : known <= MOST_UNKNOWN;
}

function gatherEvidence(
  ranking: Ranking,
  words: readonly QuestionWord[],
  beside: readonly Measured[],
): (hit: Measured) => Evidence {
  const { docCount } = ranking.plan;
  let possible = 0;
  let missing = 0;
  for (const word of words) {
    possible += word.possible;
    missing += word.missing;
  }
  const size = Math.log(Math.max(2, docCount));
  const few = 1 / Math.max(1, docCount);
  const unknown = possible === 0 ? 0 : missing / possible;
  const asked = Math.log1p(possible / computeIdf(docCount, 0));
  const { cosines } = ranking;
  const unit = cosines === null ? 1 : cosines.related - cosines.unrelated;
  const { mean, deviation } = ranking.spread ?? { mean: 0, deviation: 0 };
  return ({ winner, share }) => {
    const { score, meaning } = winner;
    const others = compareWithOthers(winner, beside);
    return {
      size,
      few,
      unknown,
      asked,
      // One that was no candidate lies where all the others do, or below.
      cosine: cosines === null ? 0 : ((meaning ?? cosines.unrelated) - cosines.unrelated) / unit,
      meaning: cosines === null ? 0 : ((meaning ?? 0) - mean) / unit,
      spread: cosines === null ? 0 : deviation / unit,
      score: Math.log1p(score),
      lead: Math.log((score + SCORE_FLOOR) / (others.bestScore + SCORE_FLOOR)),
      above: (score - others.meanScore) / Math.max(score, others.meanScore, 0.01),
      words: share - others.bestShare,
    };
  };
}

interface Others {
  bestScore: number;
  meanScore: number;
  bestShare: number;
}

function compareWithOthers({ part, record }: Ranked, beside: readonly Measured[]): Others {
  let count = 0;
  let sum = 0;
  let bestScore = 0;
  let bestShare = 0;
  for (const { winner, share } of beside) {
    if (winner.part === part && winner.record === record) continue;
    count++;
    sum += winner.score;
    bestScore = Math.max(bestScore, winner.score);
    bestShare = Math.max(bestShare, share);
  }
  return { bestScore, meanScore: count === 0 ? 0 : sum / count, bestShare };
}

/** Keeps the logarithm of a small score from deciding everything. */
const SCORE_FLOOR = 0.5;

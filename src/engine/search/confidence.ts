import type { CosineScale } from '../ports.ts';
import { type ForestName, readForest } from './confidence-forests.ts';
import { listQuestionWords, measureHeld, type QuestionWord } from './question-words.ts';
import type { Ranked, Ranking } from './rank.ts';
import { MAX_STOP_WEIGHT, type ScoredTerm } from './resolve-terms.ts';

/** For the usual sentence embedders. */
export const USUAL_COSINES: CosineScale = { unrelated: 0.3, related: 0.7 };

/** From here on the best hit counts as an answer; below it the verdict is 'nothing'. */
export const RELIABLE_FROM = 0.33;

/** What speaks for a hit. The forests know each piece by its place in this list. */
export const EVIDENCE = [
  // The logarithm of how many passages there are: among more of them chance finds more.
  'size',
  // Its cosine, in units of the embedder's scale, and how well the embedder knows the question's words.
  'cosine',
  'familiarity',
  // The logarithm of its score, what it has before the best of the others, and its share that the others lack on average.
  'score',
  'lead',
  'above',
  // The share of the question's words that it holds, each counted by how rare it is here, less the most that another holds.
  'words',
  // The logarithms of how long passages are here and how long it is: a long one holds more by chance.
  'usual',
  'length',
  // The shares of the question that nothing holds and that it holds, each word counted by how much it says wherever it stands (by how rare it
  // is here, where nobody can tell); what it has
  // before the best of the others in that, and before their mean.
  'unknown',
  'share',
  'ahead',
  'beyond',
] as const;

export type Evidence = Record<(typeof EVIDENCE)[number], number>;

/** A hit is judged beside the best ten, however many are shown. */
export const JUDGED_BESIDE = 10;

export interface Judge {
  /** 0 to 1: how likely a hit is what was asked for. */
  judge(winner: Ranked): number;
  explain(winner: Ranked): Evidence;
}

/** `held`: which words of the question each of the best ten holds, and each other that will be judged. */
export function createJudge(ranking: Ranking, held: ReadonlyMap<Ranked, readonly ScoredTerm[]>): Judge {
  const forest = chooseForest(ranking);
  const question = measureQuestion(ranking, forest === 'weighed' ? ranking.weighWords : null);
  const gather = gatherEvidence(ranking, question, held);
  const isHopeless = isGibberish(ranking);
  const judged = new Map<Ranked, number>();
  const judgeOnce = (winner: Ranked): number => {
    const { evidence, byRarity } = gather(winner);
    const least = byRarity >= NEARLY_ALL ? HOLDS_ALL : meansTheSame(evidence, ranking) ? MEANS_SAME : 0;
    return Math.max(judgeEvidence(forest, evidence), least);
  };
  return {
    judge(winner) {
      if (isHopeless) return 0;
      const confidence = judged.get(winner) ?? judgeOnce(winner);
      judged.set(winner, confidence);
      return confidence;
    },
    explain(winner) {
      const { evidence } = gather(winner);
      return Object.fromEntries(EVIDENCE.map((name, i) => [name, evidence[i]!])) as Evidence;
    },
  };
}

/**
 * A hit that holds nearly all that was asked bears on it, however many others do so too: a word that half of the memories hold is answered by all of them. Of
 * 8,000 questions of another store 8 had such a hit, of 8,000 about what had been left out 40.
 */
const NEARLY_ALL = 0.8;
const HOLDS_ALL = 0.75;

/** The forests have seen the bundled embedder alone, whose cosines mean little where no word is shared; of others the scale says what surely answers. */
const MEANS_SAME = 0.6;
const COSINE = EVIDENCE.indexOf('cosine');

function meansTheSame(evidence: readonly number[], { weighWords }: Ranking): boolean {
  return weighWords === null && evidence[COSINE]! >= 1;
}

/** Less than half of what is asked is words to the embedder, and none of it is in the store: what is near then is near by chance. */
const LEAST_FAMILIAR = 0.5;

function isGibberish({ searchedBy, familiarity, plan }: Ranking): boolean {
  return (
    searchedBy !== 'text' &&
    familiarity < LEAST_FAMILIAR &&
    plan.terms.every(({ query }) => query.weight <= MAX_STOP_WEIGHT)
  );
}

function chooseForest({ searchedBy, weighWords }: Ranking): ForestName {
  if (searchedBy !== 'text+meaning') return searchedBy;
  return weighWords === null ? 'unweighed' : 'weighed';
}

/** `evidence`: in the order of EVIDENCE. */
export function judgeEvidence(name: ForestName, evidence: readonly number[]): number {
  const forest = readForest(name);
  let logOdds = 0;
  for (let i = 0; i < forest.length; i++) {
    const tree = forest[i]!;
    let at = 0;
    while (tree[at]! >= 0) at = evidence[tree[at]!]! <= tree[at + 1]! ? at + 3 : tree[at + 2]!;
    logOdds += tree[at + 1]!;
  }
  return 1 / (1 + Math.exp(-logOdds));
}

/** How much of the question a passage holds, by how much each word says and by how rare each is here. */
interface Shares {
  bySaying: number;
  byRarity: number;
}

interface Question {
  measure(held: readonly ScoredTerm[]): Shares;
  /** The share of it that nothing holds. */
  unknown: number;
}

/** Without `weighWords` what a word says is how rare it is here. */
function measureQuestion({ plan }: Ranking, weighWords: Ranking['weighWords']): Question {
  const words = listQuestionWords(plan);
  const weights = weighWords === null ? words.map(({ possible }) => possible) : weighBySaying(words, weighWords);
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const shareOf = (sum: number, all: number) => (all === 0 ? 0 : sum / all);
  const measure = (held: readonly ScoredTerm[]): Shares => {
    let bySaying = 0;
    let rare = 0;
    let possible = 0;
    for (let i = 0; i < words.length; i++) {
      const { part, worth, of } = measureHeld(words[i]!, held);
      bySaying += weights[i]! * part;
      rare += worth;
      possible += of;
    }
    return { bySaying: shareOf(bySaying, whole), byRarity: shareOf(rare, possible) };
  };
  const missing = words.reduce((sum, { isMissing }, i) => sum + (isMissing ? weights[i]! : 0), 0);
  return { measure, unknown: shareOf(missing, whole) };
}

/** Squared: what a question is about outweighs how it asks. */
function weighBySaying(words: readonly QuestionWord[], weighWords: NonNullable<Ranking['weighWords']>): number[] {
  const weights = weighWords(words.map(({ word }) => word));
  return words.map(({ weight }, i) => weights[i]! ** 2 * weight);
}

interface Gathered extends Pick<Shares, 'byRarity'> {
  evidence: number[];
}

function gatherEvidence(
  ranking: Ranking,
  question: Question,
  held: ReadonlyMap<Ranked, readonly ScoredTerm[]>,
): (winner: Ranked) => Gathered {
  const { plan, best, familiarity } = ranking;
  const measure = (winner: Ranked): Shares => question.measure(held.get(winner) ?? []);
  const beside = best.slice(0, JUDGED_BESIDE).map((winner) => ({ winner, ...measure(winner) }));
  const size = Math.log(Math.max(2, plan.docCount));
  const usual = Math.log1p(plan.averageLength);
  return (winner: Ranked): Gathered => {
    const own = beside.find((each) => each.winner === winner) ?? measure(winner);
    let count = 0;
    let scores = 0;
    let saying = 0;
    let bestScore = 0;
    let bestRarity = 0;
    let bestSaying = 0;
    for (const { winner: other, bySaying, byRarity } of beside) {
      if (other.part === winner.part && other.record === winner.record) continue;
      count++;
      scores += other.score;
      saying += bySaying;
      bestScore = Math.max(bestScore, other.score);
      bestRarity = Math.max(bestRarity, byRarity);
      bestSaying = Math.max(bestSaying, bySaying);
    }
    const { score } = winner;
    const mean = scores / Math.max(1, count);
    // In the order of EVIDENCE.
    const evidence = [
      size,
      scaleCosine(winner, ranking),
      familiarity,
      Math.log1p(score),
      Math.log((score + SCORE_FLOOR) / (bestScore + SCORE_FLOOR)),
      (score - mean) / Math.max(score, mean, 0.01),
      own.byRarity - bestRarity,
      usual,
      Math.log1p(winner.part.part.columns.docLength[winner.doc]!),
      question.unknown,
      own.bySaying,
      own.bySaying - bestSaying,
      own.bySaying - saying / Math.max(1, count),
    ];
    return { evidence, byRarity: own.byRarity };
  };
}

/** Keeps the logarithm of a small score from deciding everything. */
const SCORE_FLOOR = 0.5;

/** One that was no candidate lies where all the others do, or below. */
function scaleCosine({ meaning }: Ranked, { cosines }: Ranking): number {
  if (cosines === null || meaning === null) return 0;
  return (meaning - cosines.unrelated) / (cosines.related - cosines.unrelated);
}

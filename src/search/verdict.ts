import type { MeasuredHit, QuestionWord } from './question-words.ts';
import type { Ranked, Ranking } from './rank.ts';
import { MAX_STOP_WEIGHT } from './resolve-terms.ts';
import type { QueryKind } from './text/query-kind.ts';
import { readTrees } from './verdict-trees.ts';

/**
 * From here on the verdict is 'found'. Of a stranger's questions about another store one in eight passes, of the keywords one in six, of the remarks one
 * in five, of the names one in eleven: at a stricter border more answers would be missed than that saves.
 */
export const ANSWERS_FROM: Readonly<Record<QueryKind, number>> = {
  question: 0.42,
  keywords: 0.35,
  remark: 0.39,
  name: 0.55,
};

/** What speaks for an answer in the store. The trees know each piece by its place in this list. */
export const EVIDENCE = [
  // The log-odds of the first hit's confidence.
  'first',
  // The logarithms of how many passages there are and how long they are: among more and longer ones chance finds more.
  'size',
  'usual',
  // The logarithm of how many words are asked: of a long remark every answer holds little.
  'asked',
  // How well the embedder knows the question's words.
  'familiarity',
  // Shares of the question, each word counted by how much it says wherever it stands: what nothing holds, what the first hit holds, what the first three
  // hold together, and what the first holds before the mean of the others.
  'unknown',
  'held',
  'together',
  'beyond',
  // The share of the question's stop words that something holds: hardly any where the question is of another language than the store.
  'kin',
  // Whether the question names one speaker; 1 where the first hit is theirs, -1 where it is another's.
  'named',
  'speaker',
  // How much the heaviest name says that the first hit lacks, and that nothing holds.
  'lacked',
  'missing',
  // The highest cosine of the best hits, in units of the embedder's scale.
  'nearest',
  // The share of the first hit's score that the others lack on average.
  'above',
] as const;

export type StoreEvidence = Record<(typeof EVIDENCE)[number], number>;

interface Judged {
  ranking: Ranking;
  words: readonly QuestionWord[];
  /** The best ten. */
  beside: readonly (MeasuredHit & { winner: Ranked })[];
  /** Of the first hit alone. */
  confidence: number;
}

/** So many of the first hits may answer a question together. */
const TOGETHER = 3;

/** null where nobody can tell how much a word says, or only one of words and meaning was searched. */
export function gatherStoreEvidence({ ranking, words, beside, confidence }: Judged): StoreEvidence | null {
  const { plan, familiarity, weighWords, searchedBy, speaker } = ranking;
  if (weighWords === null || searchedBy !== 'text+meaning') return null;
  const weights = weighBySaying(words, weighWords);
  const [first, ...others] = beside;
  const { score } = first!.winner;
  const held = shareOf(weights, first!.parts);
  const mean = meanOf(others, ({ winner }) => winner.score);
  const missing = words.map(({ isMissing }) => (isMissing ? 1 : 0));
  return {
    first: logOddsOf(confidence),
    size: Math.log(Math.max(2, plan.docCount)),
    usual: Math.log1p(plan.averageLength),
    asked: Math.log(Math.max(1, words.length)),
    familiarity,
    unknown: shareOf(weights, missing),
    held,
    together: shareOf(weights, joinParts(beside.slice(0, TOGETHER))),
    beyond: held - meanOf(others, ({ parts }) => shareOf(weights, parts)),
    kin: measureKin(words),
    named: speaker === null ? 0 : 1,
    speaker: speaker === null ? 0 : isOf(first!.winner, speaker) ? 1 : -1,
    lacked: heaviestName(words, weights, (i) => 1 - first!.parts[i]!),
    missing: heaviestName(words, weights, (i) => missing[i]!),
    nearest: Math.max(...beside.map(({ winner }) => scaleCosine(winner, ranking))),
    above: (score - mean) / Math.max(score, mean, 0.01),
  };
}

/** Squared: what a question is about outweighs how it asks. */
function weighBySaying(words: readonly QuestionWord[], weighWords: NonNullable<Ranking['weighWords']>): number[] {
  const weights = weighWords(words.map(({ word }) => word));
  return words.map(({ weight }, i) => weights[i]! ** 2 * weight);
}

function shareOf(weights: readonly number[], parts: readonly number[]): number {
  let whole = 0;
  let sum = 0;
  for (let i = 0; i < weights.length; i++) {
    whole += weights[i]!;
    sum += weights[i]! * parts[i]!;
  }
  return whole === 0 ? 0 : sum / whole;
}

/** Of each word, the most that one of the hits holds. */
function joinParts([first, ...others]: readonly MeasuredHit[]): number[] {
  return first!.parts.map((part, i) => others.reduce((most, { parts }) => Math.max(most, parts[i]!), part));
}

function heaviestName(
  words: readonly QuestionWord[],
  weights: readonly number[],
  shareIn: (word: number) => number,
): number {
  let most = 0;
  for (let i = 0; i < words.length; i++) if (words[i]!.isName) most = Math.max(most, weights[i]! * shareIn(i));
  return most;
}

/** 1 without stop words: not every language has them. */
function measureKin(words: readonly QuestionWord[]): number {
  const stop = words.filter(({ weight }) => weight <= MAX_STOP_WEIGHT);
  return stop.length === 0 ? 1 : stop.filter(({ isMissing }) => !isMissing).length / stop.length;
}

function meanOf<T>(items: readonly T[], measure: (item: T) => number): number {
  let sum = 0;
  for (const item of items) sum += measure(item);
  return items.length === 0 ? 0 : sum / items.length;
}

function isOf({ part, record }: Ranked, speaker: string): boolean {
  const { labels, speaker: codes } = part.part.columns;
  return codes[record] === labels.codeOf(speaker);
}

/** One that was no candidate lies where all the others do. */
function scaleCosine({ meaning }: Ranked, { cosines, spread }: Ranking): number {
  if (cosines === null) return 0;
  return ((meaning ?? spread?.mean ?? cosines.unrelated) - cosines.unrelated) / (cosines.related - cosines.unrelated);
}

/** 0 to 1: how likely it is that the store holds an answer. */
export function judgeStore(evidence: StoreEvidence): number {
  const values = Float64Array.from(EVIDENCE, (name) => evidence[name]);
  const { nodes, starts } = readTrees();
  let logOdds = 0;
  for (const start of starts) {
    let at = start;
    while (nodes[at]! >= 0) at = values[nodes[at]!]! <= nodes[at + 1]! ? at + 3 : nodes[at + 2]!;
    logOdds += nodes[at + 1]!;
  }
  return chanceOf(logOdds);
}

/**
 * What the log-odds of the first hit alone and of the store are worth; fitted to which first hits were right, where seven of eight questions have an answer.
 * A name is in a hit or it is not, which the store's chance knows already.
 */
const CONFIDENCE: Readonly<Record<QueryKind, { base: number; hit: number; store: number }>> = {
  question: { base: 0.352, hit: 0.529, store: 0.35 },
  keywords: { base: 0.384, hit: 0.557, store: 0.204 },
  remark: { base: 0.636, hit: 0.512, store: 0.299 },
  name: { base: -3.112, hit: 0, store: 2.916 },
};

/** People ask a memory mostly for what they have told it: seven of eight questions have an answer. The trees were fitted to as many with as without one. */
const ANSWERED_ODDS = Math.log(7);

/** How likely the first hit is where it is known how likely there is an answer at all. No hit is likelier than that. */
export function adjustConfidence(alone: number, answers: number, asks: QueryKind): number {
  const { base, hit, store } = CONFIDENCE[asks];
  const logOdds = base + hit * logOddsOf(alone) + store * logOddsOf(answers);
  return chanceOf(Math.min(logOdds, logOddsOf(answers) + ANSWERED_ODDS));
}

/** Keeps 0 and 1 from deciding everything. */
const SURE = 0.001;

function logOddsOf(chance: number): number {
  const sure = Math.min(1 - SURE, Math.max(SURE, chance));
  return Math.log(sure / (1 - sure));
}

function chanceOf(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}

import type { Instant } from '../model/ids.ts';

/** What the score of a passage depends on. */
export interface ScoredPassage {
  /** How often it holds each of the question's terms: keywords first, then stop words. */
  counts: readonly number[];
  /** In words. */
  length: number;
  /** With the question; NOT_COMPARED where it is none of the candidates. */
  cosine: number;
  /** Of a turn of a conversation: what its neighbours score. */
  neighbours: Neighbours | null;
  speaker: string | null;
  namesTime: boolean;
  project: string | null;
}

export interface ScoredQuestion extends Fusion {
  terms: readonly { weight: number; idf: number; isStopWord: boolean }[];
  averageLength: number;
  /** The one speaker whom it names. */
  speaker: string | null;
  asksForTime: boolean;
  /** The one project that it names. */
  project: string | null;
}

/**
 * The score of a passage. `rank.ts` finds the best ones without computing it for all; `rank.test.ts` compares the two. Steps are rounded to 32 bits
 * because that is how whole arrays of scores are kept.
 */
export function scorePassage(passage: ScoredPassage, question: ScoredQuestion): number {
  let score = Math.fround(fuse(scoreWords(passage, question), passage.cosine, question));
  if (score === 0) return 0;
  if (passage.neighbours !== null) score = Math.fround(score + contextGain(passage.neighbours));
  if (question.speaker !== null && passage.speaker === question.speaker)
    score = Math.fround(score + speakerBonus(question.speaker));
  if (question.project !== null && passage.project === question.project) score = Math.fround(score + PROJECT_BONUS);
  if (question.asksForTime && passage.namesTime) score = Math.fround(score + TIME_BONUS);
  return score;
}

/** The relevance of a record: the score of its best passage, weighted by its age and by how it was judged. */
export function weighScore(score: number, record: { updatedAt: Instant; quality: number }, now: Instant): number {
  return score * recencyWeight(record.updatedAt, now) * qualityWeight(record.quality);
}

/** BM25. Stop words add to what the keywords found and find nothing by themselves. */
export function scoreWords(
  { counts, length }: Pick<ScoredPassage, 'counts' | 'length'>,
  { terms, averageLength }: Pick<ScoredQuestion, 'terms' | 'averageLength'>,
): number {
  let score = 0;
  for (const [i, { weight, idf, isStopWord }] of terms.entries()) {
    if (counts[i] === 0 || (isStopWord && score === 0)) continue;
    score = Math.fround(score + weight * idf * saturate(counts[i]!, length, averageLength));
  }
  return score;
}

/** Rarer words say more. Above zero however common the word is. */
export function computeIdf(docCount: number, holding: number): number {
  return Math.log(1 + (docCount - holding + 0.5) / (holding + 0.5));
}

const K1 = 1.2;
/** Lower than usual: among turns and notes a longer text is not a worse one. */
const B = 0.5;

/** How much of a word's weight a passage gets, by how often it holds the word and by its own length. */
export function saturate(count: number, length: number, averageLength: number): number {
  return ((K1 + 1) * count) / (count + K1 * (1 - B + (B * length) / averageLength));
}

/** No word gives a passage more than this many times its weight. */
export const MAX_SATURATION = K1 + 1;

/** The cosine of a passage that was not compared with the question. */
export const NOT_COMPARED = -2;
/** What a passage gets for one word as rare as can be, where it holds all that was asked. */
const WORDS_UNIT = 7.5;
/** What a passage gets for each standard deviation by which its cosine exceeds the mean. */
const MEANING_UNIT = 1.3;
/** A passage that holds the very identifier asked for must not be buried because it speaks of something else besides. */
const LOWEST_Z = -1;
/** Added to every match, so that one with a negative z-score still is one. */
const MATCH_BASE = 1;
/** Whatever was compared is a match, however weak. */
const WEAKEST = 0.01;

/** Mean and standard deviation of the question's cosines with everything searched. */
export interface Spread {
  mean: number;
  deviation: number;
}

/** What the operator thinks of each side; 1 is as measured. */
export interface Weights {
  words: number;
  meaning: number;
}

/** From this share of the question's words on, known to the embedder, its cosines count in full. */
const FAMILIAR_FROM = 0.75;

/** What the embedder knows little of, it says little about: Greek loses four points of recall to cosines that count as much as those of English. */
export function trustMeaning(familiarity: number): number {
  return Math.min(1, familiarity / FAMILIAR_FROM);
}

/** What turns a BM25 score and a cosine into one score. */
export interface Fusion {
  spread: Spread;
  /** The IDF of a word that nothing holds. */
  rarest: number;
  trust: WordTrust;
  weights: Weights;
}

/**
 * Words and meaning in one score, in units that do not depend on how much is stored: words by how much of the rarest possible word they amount to,
 * meaning by its z-score. 0 is no match.
 */
export function fuse(text: number, cosine: number, { spread, rarest, trust, weights }: Fusion): number {
  const words = (trustedPart(text, trust) * WORDS_UNIT * weights.words) / rarest;
  if (cosine === NOT_COMPARED) return words === 0 ? 0 : Math.max(WEAKEST, MATCH_BASE + words);
  const zScore = (cosine - spread.mean) / spread.deviation;
  return Math.max(WEAKEST, MATCH_BASE + words + MEANING_UNIT * weights.meaning * Math.max(LOWEST_Z, zScore));
}

/** How far the words of a question can be relied on. */
export interface WordTrust {
  /** 0 to 1: where even the best passage holds little of what was asked, the words it shares are mostly chance. */
  question: number;
  /** The BM25 score of a passage of average length that holds every word once. */
  whole: number;
}

/** Words count in full whatever a passage holds. */
export const FULL_TRUST: WordTrust = { question: 1, whole: 0 };
/** From this share of the question's words on, held by the best passage, words are trusted fully. */
const FULL_TRUST_FROM = 0.3;

export function trustWords(best: number, whole: number): WordTrust {
  return { question: whole === 0 ? 0 : Math.min(1, best / whole / FULL_TRUST_FROM), whole };
}

/** Counts by the root of the share of the question that a passage holds: one word of five is mostly chance. */
function trustedPart(text: number, { question, whole }: WordTrust): number {
  return text < whole ? text * question * Math.sqrt(text / whole) : text * question;
}

/** Fused scores of the turns one, two and three steps before and after; 0 where there is none. */
export interface Neighbours {
  before: readonly number[];
  after: readonly number[];
  /** Words of the turn itself. */
  words: number;
}

/** How far a turn gains from its neighbours. */
export const CONTEXT_REACH = 3;
/** A short turn is found by what was said around it; from this many words on it stands more and more alone. */
const SHORT_WORDS = 80;

/** Of the better neighbour at each distance; the one before counts for more than the one after. */
export function contextGain({ before, after, words }: Neighbours): number {
  const better = (step: number, share: number, shareAfter = share) =>
    Math.max(0, share * lent(before[step]!), shareAfter * lent(after[step]!));
  const shortness = Math.min(1, SHORT_WORDS / Math.max(1, words)) ** 2;
  return shortness * (better(0, 0.4, 0.35) + better(1, 0.3) + better(2, 0.1));
}

function lent(score: number): number {
  return score === 0 ? 0 : score - MATCH_BASE;
}

/** Roles under which the person at the keyboard speaks. */
const OWN_ROLES = ['user', 'human', '用户', 'ユーザー'];

export function isOwnRole(speaker: string): boolean {
  return OWN_ROLES.includes(speaker);
}

/** For the turns of the one person whom the question names. The asker's own get more: an assistant's answers repeat what was asked, at greater length. */
export function speakerBonus(speaker: string): number {
  return isOwnRole(speaker) ? 4 : 2.7;
}

/** For what belongs to the one project that the question names, whose name says where to look and not what for. */
export const PROJECT_BONUS = 2.7;

/** For a passage that speaks of a time when the question asks for one. */
export const TIME_BONUS = 1.5;

const MONTH_MS = 30 * 24 * 60 * 60 * 1000;
const RECENCY_GAIN = 0.05;
const QUALITY_SWING = 0.05;
/** No weighting lifts a score by more than this, and none leaves less of it. */
export const MAX_WEIGHT = (1 + RECENCY_GAIN) * (1 + QUALITY_SWING);
export const MIN_WEIGHT = 1 - QUALITY_SWING;

/** 1.05 for what was said just now, half of the gain a month later, 1 in the end. */
export function recencyWeight(updatedAt: Instant, now: Instant): number {
  return 1 + RECENCY_GAIN * 2 ** (-Math.max(0, now - updatedAt) / MONTH_MS);
}

/** 0.95 to 1.05; 1 where nobody has judged. */
export function qualityWeight(quality: number): number {
  return 1 + QUALITY_SWING * (2 * quality - 1);
}

/** Lets quality decide instead of relevance (0 to 1 each), as far as `boost` says: 0 not at all, 1 alone. */
export function blendQuality(relevance: number, quality: number, boost: number): number {
  return (1 - boost) * relevance + boost * quality;
}

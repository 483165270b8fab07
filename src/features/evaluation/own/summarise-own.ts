import type { RecordId } from '../../../model/ids.ts';
import { firstLine } from '../../../search/text/make-snippet.ts';
import type { Memory } from '../../memories/memory.ts';
import { round } from '../describe-evaluation.ts';
import { quantile } from '../score-ranking.ts';
import { QUESTION_KINDS, type QuestionKind } from './make-question.ts';

/** Of so many questions, the share whose memory was among the first hits. */
export interface Found {
  questions: number;
  at1: number;
  at5: number;
  at10: number;
}

/** A memory that its question did not find among the first ten. */
export interface Miss {
  id: RecordId;
  title: string;
  kind: QuestionKind;
  /** null: not among the first hundred. */
  rank: number | null;
}

export interface OwnEvaluation {
  memories: number;
  all: Found;
  byKind: { kind: QuestionKind; found: Found }[];
  /** The same questions with one part of the search alone; null without an embedder. */
  text: Found;
  semantic: Found | null;
  /** Share of the questions that were answered 'nothing', although there was something. */
  nothingRate: number;
  misses: Miss[];
  searchP50Ms: number;
  searchP95Ms: number;
}

export interface OwnQuestion {
  memory: Memory;
  kind: QuestionKind;
  text: string;
}

/** Ranks of the question's memory; null: not among the first hundred. */
export interface Tried extends OwnQuestion {
  rank: number | null;
  byText: number | null;
  byMeaning: number | null;
  isDenied: boolean;
  ms: number;
}

/** What a client that says nothing gets. */
export const SHOWN_HITS = 10;
const SHOWN_MISSES = 10;
const TITLE_CHARS = 80;
/** Behind every rank there is. */
const NEVER = 1000;

export function summariseOwn(
  tried: readonly Tried[],
  { memories, hasEmbedder }: { memories: number; hasEmbedder: boolean },
): OwnEvaluation {
  const times = tried.map(({ ms }) => ms);
  const kinds = QUESTION_KINDS.map((kind) => ({ kind, own: tried.filter((one) => one.kind === kind) }));
  return {
    memories,
    all: countFound(tried.map(({ rank }) => rank)),
    byKind: kinds
      .filter(({ own }) => own.length > 0)
      .map(({ kind, own }) => ({ kind, found: countFound(own.map(({ rank }) => rank)) })),
    text: countFound(tried.map(({ byText }) => byText)),
    semantic: hasEmbedder ? countFound(tried.map(({ byMeaning }) => byMeaning)) : null,
    nothingRate: tried.filter(({ isDenied }) => isDenied).length / tried.length,
    misses: listMisses(tried),
    searchP50Ms: quantile(times, 0.5),
    searchP95Ms: quantile(times, 0.95),
  };
}

function countFound(ranks: readonly (number | null)[]): Found {
  const within = (k: number): number => ranks.filter((rank) => rank !== null && rank <= k).length / ranks.length;
  return { questions: ranks.length, at1: within(1), at5: within(5), at10: within(10) };
}

/** The worst first, one of a memory. */
function listMisses(tried: readonly Tried[]): Miss[] {
  const missed = tried
    .filter(({ rank }) => rank === null || rank > SHOWN_HITS)
    .sort((a, b) => (b.rank ?? NEVER) - (a.rank ?? NEVER));
  const byMemory = new Map<RecordId, Miss>();
  for (const { memory, kind, rank } of missed) {
    if (!byMemory.has(memory.id))
      byMemory.set(memory.id, { id: memory.id, title: firstLine(memory.content, TITLE_CHARS), kind, rank });
  }
  return [...byMemory.values()].slice(0, SHOWN_MISSES);
}

/** The JSON that programs read; its names do not change. */
export function describeOwn(own: OwnEvaluation): object {
  const { memories, all, byKind, text, semantic, nothingRate, misses, searchP50Ms, searchP95Ms } = own;
  return {
    memories,
    questions: all.questions,
    engine: describeFound(all),
    parts: { text: describeFound(text), semantic: semantic === null ? null : describeFound(semantic) },
    by_kind: Object.fromEntries(byKind.map(({ kind, found }) => [kind, describeFound(found)])),
    nothing_rate: round(nothingRate),
    misses,
    timing: { search_p50_ms: round(searchP50Ms), search_p95_ms: round(searchP95Ms) },
  };
}

function describeFound({ questions, at1, at5, at10 }: Found): object {
  return { questions, found_at_1: round(at1), found_at_5: round(at5), found_at_10: round(at10) };
}

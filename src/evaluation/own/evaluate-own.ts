import { setImmediate } from 'node:timers/promises';
import type { Engine } from '../../engine/engine.ts';
import { firstLine } from '../../engine/search/text/make-snippet.ts';
import type { Caller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { Instant, RecordId } from '../../model/ids.ts';
import type { Memory } from '../../model/memory.ts';
import type { SearchMode } from '../../model/search.ts';
import { ask } from '../ask.ts';
import { quantile } from '../score-ranking.ts';
import { seededRandom, shuffled } from '../seeded-random.ts';
import { makeQuestion, QUESTION_KINDS, type QuestionKind } from './make-question.ts';
import { countTexts } from './split-words.ts';

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

export interface OwnOptions {
  questions: number;
  seed: number;
  signal?: AbortSignal | undefined;
  onProgress?: ((step: string, done: number, total: number) => void) | undefined;
}

interface Own {
  engine: Engine;
  caller: Caller;
  /** Of every live record. */
  ids: readonly RecordId[];
  hasEmbedder: boolean;
  now: Instant;
}

interface Question {
  memory: Memory;
  kind: QuestionKind;
  text: string;
}

interface Tried extends Question {
  rank: number | null;
  byText: number | null;
  byMeaning: number | null;
  isDenied: boolean;
  ms: number;
}

const FEWEST_MEMORIES = 10;
/** Enough to know which words are rare. */
const MOST_MEMORIES = 2000;
const LIMIT = 10;
const SHOWN_MISSES = 10;

export async function evaluateOwn(own: Own, options: OwnOptions): Promise<OwnEvaluation> {
  const memories = await drawMemories(own, options);
  const questions = makeQuestions(memories, options);
  const tried: Tried[] = [];
  for (const question of questions) {
    tried.push(await tryQuestion(own, question));
    options.onProgress?.('asking', tried.length, questions.length);
    await setImmediate();
    options.signal?.throwIfAborted();
  }
  return summariseOwn(tried, own);
}

/** Only what a search may show: current, valid, not empty of words. */
async function drawMemories({ engine, caller, ids, now }: Own, { seed, signal }: OwnOptions): Promise<Memory[]> {
  const drawn = shuffled(ids, seededRandom(seed)).slice(0, MOST_MEMORIES);
  const { memories } = await engine.getMemories(caller, { refs: drawn });
  signal?.throwIfAborted();
  const current = memories.filter(
    ({ supersededBy, validFrom, validUntil }) => supersededBy === null && (validFrom ?? now) <= now && (validUntil ?? Number.POSITIVE_INFINITY) > now,
  );
  if (current.length >= FEWEST_MEMORIES) return current;
  throw new EngineError('not_found', `There are ${current.length} memories to ask about; it takes at least ${FEWEST_MEMORIES} to say anything.`, {
    hint: 'Come back when there are more, or measure with a file of conversations: `ltm eval FILE`.',
    details: { memories: current.length, needed: FEWEST_MEMORIES },
  });
}

/** Kinds in turn over the memories; where memories are few, each gets several kinds. */
function makeQuestions(memories: readonly Memory[], { questions: wanted, seed }: OwnOptions): Question[] {
  const making = { random: seededRandom(seed + 1), textsWith: countTexts(memories.map((memory) => memory.content)) };
  const questions: Question[] = [];
  for (let round = 0; round < QUESTION_KINDS.length; round++) {
    for (const [i, memory] of memories.entries()) {
      if (questions.length === wanted) return questions;
      const kind = QUESTION_KINDS[(i + round) % QUESTION_KINDS.length]!;
      const text = makeQuestion(kind, memory.content, making);
      if (text !== null) questions.push({ memory, kind, text });
    }
  }
  if (questions.length > 0) return questions;
  throw new EngineError('not_found', 'No question can be made: the memories are too short.');
}

async function tryQuestion({ engine, caller, hasEmbedder }: Own, question: Question): Promise<Tried> {
  const { memory, text } = question;
  // The same text stored twice is found whichever of the two comes first.
  const asking = { engine, caller, text, limit: LIMIT, nameOf: (hit: { contentHash: string }) => hit.contentHash, wanted: new Set([memory.contentHash]) };
  const rankIn = async (mode: SearchMode): Promise<number | null> => rankOf((await ask({ ...asking, mode })).ranking, memory);
  const { ranking, verdict, ms } = await ask(asking);
  const byText = await rankIn('text');
  return { ...question, rank: rankOf(ranking, memory), byText, byMeaning: hasEmbedder ? await rankIn('semantic') : null, isDenied: verdict === 'nothing', ms };
}

function rankOf(ranking: readonly string[], { contentHash }: Memory): number | null {
  const at = ranking.indexOf(contentHash);
  return at === -1 ? null : at + 1;
}

function summariseOwn(tried: readonly Tried[], { ids, hasEmbedder }: Own): OwnEvaluation {
  const times = tried.map(({ ms }) => ms);
  const kinds = QUESTION_KINDS.map((kind) => ({ kind, own: tried.filter((one) => one.kind === kind) }));
  return {
    memories: ids.length,
    all: countFound(tried.map(({ rank }) => rank)),
    byKind: kinds.filter(({ own }) => own.length > 0).map(({ kind, own }) => ({ kind, found: countFound(own.map(({ rank }) => rank)) })),
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
  const missed = tried.filter(({ rank }) => rank === null || rank > LIMIT).sort((a, b) => (b.rank ?? Infinity) - (a.rank ?? Infinity) || 0);
  const byMemory = new Map<RecordId, Miss>();
  for (const { memory, kind, rank } of missed) {
    if (!byMemory.has(memory.id)) byMemory.set(memory.id, { id: memory.id, title: firstLine(memory.content, 80), kind, rank });
  }
  return [...byMemory.values()].slice(0, SHOWN_MISSES);
}

import { setImmediate } from 'node:timers/promises';
import type { Engine } from '../../../engine/engine.ts';
import type { Caller } from '../../../model/caller.ts';
import { EngineError } from '../../../model/errors.ts';
import type { Instant, RecordId } from '../../../model/ids.ts';
import type { SearchMode } from '../../../model/search.ts';
import type { Memory } from '../../memories/memory.ts';
import { type AskDoor, askByDoor, askEngine } from '../ask.ts';
import type { EvaluateOptions } from '../evaluate-conversations.ts';
import type { Ranking } from '../score-ranking.ts';
import { seededRandom, shuffled } from '../seeded-random.ts';
import { makeQuestion, QUESTION_KINDS } from './make-question.ts';
import { countTexts } from './split-words.ts';
import { type OwnEvaluation, type OwnQuestion, SHOWN_HITS, summariseOwn, type Tried } from './summarise-own.ts';

export interface OwnOptions extends Pick<EvaluateOptions, 'seed' | 'signal' | 'onProgress'> {
  questions: number;
}

interface Own {
  engine: Engine;
  askDoor: AskDoor;
  caller: Caller;
  /** Of every live record. */
  ids: readonly RecordId[];
  hasEmbedder: boolean;
  now: Instant;
}

const FEWEST_MEMORIES = 10;
/** Enough to know which words are rare. */
const MOST_MEMORIES = 2000;

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
  return summariseOwn(tried, { memories: own.ids.length, hasEmbedder: own.hasEmbedder });
}

/** Only what a search may show: current, valid, not empty of words. */
async function drawMemories({ engine, caller, ids, now }: Own, { seed, signal }: OwnOptions): Promise<Memory[]> {
  const drawn = shuffled(ids, seededRandom(seed)).slice(0, MOST_MEMORIES);
  const { memories } = await engine.getMemories(caller, { refs: drawn });
  signal?.throwIfAborted();
  const current = memories.filter(
    ({ supersededBy, validFrom, validUntil }) =>
      supersededBy === null && (validFrom ?? now) <= now && (validUntil ?? Number.POSITIVE_INFINITY) > now,
  );
  if (current.length >= FEWEST_MEMORIES) return current;
  throw new EngineError('not_found', `There are ${current.length} memories; at least ${FEWEST_MEMORIES} are needed.`, {
    hint: 'Try again when there are more, or evaluate a file of conversations: `ltm eval FILE`.',
    details: { memories: current.length, needed: FEWEST_MEMORIES },
  });
}

/** Kinds in turn over the memories; where memories are few, each gets several kinds. */
function makeQuestions(memories: readonly Memory[], { questions: wanted, seed }: OwnOptions): OwnQuestion[] {
  const making = { random: seededRandom(seed + 1), textsWith: countTexts(memories.map((memory) => memory.content)) };
  const questions: OwnQuestion[] = [];
  for (let round = 0; round < QUESTION_KINDS.length; round++) {
    for (const [i, memory] of memories.entries()) {
      if (questions.length === wanted) return questions;
      const kind = QUESTION_KINDS[(i + round) % QUESTION_KINDS.length]!;
      const text = makeQuestion(kind, memory.content, making);
      if (text !== null) questions.push({ memory, kind, text });
    }
  }
  if (questions.length > 0) return questions;
  throw new EngineError('not_found', 'No questions can be generated: the memories are too short.');
}

async function tryQuestion({ engine, askDoor, caller, hasEmbedder }: Own, question: OwnQuestion): Promise<Tried> {
  const { memory, text } = question;
  // The same text stored twice is found whichever of the two comes first.
  const asking = {
    engine,
    caller,
    text,
    limit: SHOWN_HITS,
    nameOf: (hit: { contentHash: string }) => hit.contentHash,
    wanted: new Set([memory.contentHash]),
  };
  const rankIn = async (mode: SearchMode): Promise<number | null> =>
    rankOf(await askEngine({ ...asking, mode }), memory);
  const hashes = new Map<RecordId, string>();
  const nameHit = (hit: { id: RecordId; contentHash: string }): string => {
    hashes.set(hit.id, hit.contentHash);
    return hit.contentHash;
  };
  const beyond = await askEngine({ ...asking, nameOf: nameHit });
  const nameOf = (id: RecordId): string | null => hashes.get(id) ?? null;
  const { ranking, verdict, ms } = await askByDoor({ askDoor, caller, text, limit: SHOWN_HITS, nameOf, beyond });
  const byText = await rankIn('text');
  return {
    ...question,
    rank: rankOf(ranking, memory),
    byText,
    byMeaning: hasEmbedder ? await rankIn('semantic') : null,
    isDenied: verdict === 'nothing',
    ms,
  };
}

function rankOf(ranking: Ranking, { contentHash }: Memory): number | null {
  const at = ranking.indexOf(contentHash);
  return at === -1 ? null : at + 1;
}

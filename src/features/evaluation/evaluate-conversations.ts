import { setImmediate } from 'node:timers/promises';
import type { Engine } from '../../engine/engine.ts';
import { type Caller, ownerOf } from '../../model/caller.ts';
import type { SpaceId } from '../../model/ids.ts';
import { type AskDoor, askByDoor, askEngine, DEEPEST, USUAL_LIMIT } from './ask.ts';
import type { Conversation, Question } from './read-conversations.ts';
import { type Cuts, type Ranking, scoreRanking } from './score-ranking.ts';
import { type SteppingClock, type StoredConversation, storeConversation } from './store-conversation.ts';
import { type Asked, type Evaluation, summarise } from './summarise.ts';

/** Ranks texts by their place in the list it was opened with. */
export interface Baseline {
  rank(query: string, limit: number): number[];
  close(): void;
}

export interface EvaluationPorts {
  engine: Engine;
  askDoor: AskDoor;
  clock: SteppingClock;
  hasEmbedder: boolean;
  /** A space that nothing has been stored in. */
  newSpace(): SpaceId;
  openBaseline(texts: readonly string[]): Baseline;
}

export interface EvaluateOptions {
  /** How many first hits the headline figures look at. */
  k: number;
  /** Samples for the interval; 0: none. */
  bootstrap: number;
  seed: number;
  signal?: AbortSignal | undefined;
  onProgress?: ((step: string, done: number, total: number) => void) | undefined;
}

const USUAL_CUTS = [1, 5, 10];

export async function evaluateConversations(
  ports: EvaluationPorts,
  conversations: readonly Conversation[],
  options: EvaluateOptions,
): Promise<Evaluation> {
  const started = performance.now();
  const report = createReporter(conversations, options);
  const asked: Asked[] = [];
  const stored: StoredConversation[] = [];
  for (const conversation of conversations) {
    const caller = makeCaller(ports.newSpace());
    const storing = { ...ports, caller, onStored: report('storing') };
    const one = await storeConversation(storing, conversation);
    stored.push(one);
    asked.push(...(await askAll(ports, { conversation, caller, stored: one, options, onAsked: report('asking') })));
  }
  return summarise(asked, { conversations, stored, options, seconds: (performance.now() - started) / 1000 });
}

/** An agent's: what it stores is what agents store. */
function makeCaller(space: SpaceId): Caller {
  return {
    userId: 'evaluation',
    space,
    spaces: [space],
    roles: ownerOf([space]),
    scopes: new Set(['read', 'write']),
    door: 'mcp',
  };
}

/** Lets signals in between two steps: the store answers at once, so nothing else would. */
function createReporter(conversations: readonly Conversation[], { signal, onProgress }: EvaluateOptions) {
  const total = conversations.reduce((sum, { items, questions }) => sum + items.length + questions.length, 0);
  let done = 0;
  return (step: string) =>
    async (count: number): Promise<void> => {
      done += count;
      onProgress?.(step, done, total);
      await setImmediate();
      signal?.throwIfAborted();
    };
}

interface AskingAll {
  conversation: Conversation;
  caller: Caller;
  stored: StoredConversation;
  options: EvaluateOptions;
  onAsked(count: number): Promise<void>;
}

type AskingOne = Pick<AskingAll, 'caller' | 'stored'> & { k: number; rankBaseline(text: string): string[] };

async function askAll(
  ports: EvaluationPorts,
  { conversation, caller, stored, options, onAsked }: AskingAll,
): Promise<Asked[]> {
  const { items, questions } = conversation;
  const baseline = ports.openBaseline(items.map((item) => item.text));
  const rankBaseline = (text: string): string[] => [
    ...new Set(baseline.rank(text, DEEPEST).map((at) => items[at]!.id)),
  ];
  try {
    const asked: Asked[] = [];
    for (const question of questions) {
      asked.push(await askOne(ports, question, { caller, stored, k: options.k, rankBaseline }));
      await onAsked(1);
    }
    return asked;
  } finally {
    baseline.close();
  }
}

async function askOne(
  { engine, askDoor, hasEmbedder }: EvaluationPorts,
  { text, gold, category }: Question,
  { caller, stored, k, rankBaseline }: AskingOne,
): Promise<Asked> {
  const limit = Math.max(USUAL_LIMIT, k);
  const nameOf = (id: string): string | null => stored.itemOf.get(id) ?? null;
  const asking = {
    engine,
    caller,
    text,
    limit,
    nameOf: (hit: { id: string }) => nameOf(hit.id),
    wanted: new Set(gold),
  };
  const bare = await askEngine(asking);
  const { ranking, verdict, ms } = await askByDoor({ askDoor, caller, text, limit, nameOf, beyond: bare });
  if (gold.length === 0) return { category, verdict, ms, scores: null };
  const cuts = cutsFor(k);
  const score = (names: Ranking) => scoreRanking(names, gold, cuts);
  const words = await askEngine({ ...asking, mode: 'text' });
  const meaning = hasEmbedder ? await askEngine({ ...asking, mode: 'semantic' }) : null;
  const scores = {
    engine: score(ranking),
    bare: score(bare),
    text: score(words),
    semantic: meaning === null ? null : score(meaning),
    fts5: score(rankBaseline(text)),
  };
  return { category, verdict, ms, scores };
}

function cutsFor(k: number): Cuts {
  return { recallAt: [...new Set([...USUAL_CUTS, k])].sort((a, b) => a - b), ndcgAt: k, mrrAt: DEEPEST };
}

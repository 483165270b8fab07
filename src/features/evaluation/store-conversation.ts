import type { Engine } from '../../engine/engine.ts';
import type { Clock } from '../../engine/ports.ts';
import type { Caller } from '../../model/caller.ts';
import type { Instant, RecordId } from '../../model/ids.ts';
import type { StoreOutcome } from '../memories/memory.ts';
import type { Conversation, Item } from './read-conversations.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The clock of an evaluation: the same times in every run, in the order of the conversation. */
export interface SteppingClock extends Clock {
  /** From now on every reading is a minute after the one before; the first is a day later. */
  startSession(): void;
  /** The last time stays, as it does while somebody asks. */
  stop(): void;
}

export function createSteppingClock(start: Instant): SteppingClock {
  let time = start;
  let step = 0;
  return {
    now() {
      time += step;
      return time;
    },
    startSession() {
      time += DAY_MS;
      step = MINUTE_MS;
    },
    stop() {
      step = 0;
    },
  };
}

const MAX_BATCH = 200;

export interface StoredConversation {
  /** Which item a memory was made of. */
  itemOf: ReadonlyMap<RecordId, string>;
  ms: number;
  /** Memories that got no vector although there is an embedder. */
  withoutVectors: number;
}

export interface Storing {
  engine: Engine;
  clock: SteppingClock;
  caller: Caller;
  hasEmbedder: boolean;
  onStored(count: number): Promise<void>;
}

/** As a client would store it: in order, session by session, in batches. */
export async function storeConversation(storing: Storing, { name, items }: Conversation): Promise<StoredConversation> {
  const { engine, clock, caller } = storing;
  const itemOf = new Map<RecordId, string>();
  let ms = 0;
  let withoutVectors = 0;
  for (const session of splitSessions(items)) {
    clock.startSession();
    for (let i = 0; i < session.length; i += MAX_BATCH) {
      const batch = session.slice(i, i + MAX_BATCH);
      const started = performance.now();
      const outcomes = await engine.storeMemories(
        caller,
        batch.map((item) => ({ content: item.text, conversation: name, session: item.session, onDuplicate: 'store' })),
      );
      ms += performance.now() - started;
      outcomes.forEach((outcome, at) => {
        for (const id of idsOf(outcome)) itemOf.set(id, batch[at]!.id);
      });
      if (storing.hasEmbedder) withoutVectors += outcomes.filter(({ searchableBy }) => searchableBy === 'text').length;
      await storing.onStored(batch.length);
    }
  }
  clock.stop();
  return { itemOf, ms, withoutVectors };
}

/** Runs of one session; what has no text cannot be stored. */
function splitSessions(items: readonly Item[]): Item[][] {
  const runs: Item[][] = [];
  for (const item of items) {
    if (item.text.trim() === '') continue;
    const open = runs.at(-1);
    if (open !== undefined && open[0]!.session === item.session) open.push(item);
    else runs.push([item]);
  }
  return runs;
}

/** More than one where the settings split long content. */
function idsOf(outcome: StoreOutcome): RecordId[] {
  if (!('memory' in outcome)) return [];
  const chunks = outcome.outcome === 'stored' ? outcome.chunks : [];
  return [outcome.memory, ...chunks].map((memory) => memory.id);
}

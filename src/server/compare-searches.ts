import { createEngine } from '../engine/engine.ts';
import { copySpace, type MovableStore } from '../engine/exchange/copy-space.ts';
import type { Clock, Embedder, Log } from '../engine/ports.ts';
import { readOnlyStore } from '../evaluation/own/read-only-store.ts';
import { type Caller, OWNER_USER, ownerOf } from '../model/caller.ts';
import { EngineError } from '../model/errors.ts';
import type { SpaceId } from '../model/ids.ts';
import { type Config, engineSettings } from './config.ts';

const MAX_SPACES = 25;
const QUESTIONS = 8;
const WORDS = 5;
/** While others write to the source, the two are seldom at the same place; so often it is tried. */
const MAX_ROUNDS = 50;

interface Compared {
  source: MovableStore;
  target: MovableStore;
  embedder: Embedder | null;
  log: Log;
  onProgress: (step: string, done: number, total: number) => void;
}

/** Asks both databases the same questions, made of words of their records, at the same moment in time. Returns how many; throws at the first that differs. */
export async function compareSearches(
  { source, target, embedder, log, onProgress }: Compared,
  { config, spaces }: { config: Config; spaces: readonly SpaceId[] },
): Promise<number> {
  const now = Date.now();
  const clock: Clock = { now: () => now };
  const [here, there] = [source, target].map((store) =>
    createEngine({ store: readOnlyStore(store), embedder, clock, log }, engineSettings(config)),
  );
  const step = Math.max(1, Math.floor(spaces.length / MAX_SPACES));
  const chosen = spaces.filter((_, i) => i % step === 0).slice(0, MAX_SPACES);
  let compared = 0;
  for (const [i, space] of chosen.entries()) {
    onProgress('comparing searches', i, chosen.length);
    const caller: Caller = {
      userId: OWNER_USER,
      space,
      spaces: [space],
      roles: ownerOf([space]),
      scopes: new Set(['read']),
      door: 'job',
    };
    for (const query of await makeQuestions(source, space)) {
      for (let round = 1; ; round++) {
        const [a, b] = await Promise.all(
          [here!, there!].map(async (engine) =>
            JSON.stringify(
              (await engine.search(caller, { query, limit: 10 })).hits.map(({ id, score }) => [id, score]),
            ),
          ),
        );
        if (a === b) break;
        // Somebody may have written to the source between the two.
        if (round === MAX_ROUNDS || (await source.head(space)) === (await target.head(space))) throw differs(space);
        await copySpace({ source, target, space });
      }
      compared++;
    }
  }
  return compared;
}

async function makeQuestions(store: MovableStore, space: SpaceId): Promise<string[]> {
  const { items } = await store.listRecords(space, {}, { limit: 200 });
  const step = Math.max(1, Math.floor(items.length / QUESTIONS));
  const texts = items.filter((_, i) => i % step === 0).slice(0, QUESTIONS);
  return texts
    .map(({ content }) => (content.match(/[\p{L}\p{N}]{3,}/gu) ?? []).slice(0, WORDS).join(' '))
    .filter((query) => query !== '');
}

function differs(space: SpaceId): EngineError {
  return new EngineError('conflict', `A search in space ${space} gives different answers in the two databases.`, {
    hint: 'Run it again while nobody writes to the source; if it stays so, run `ltm doctor` on both. Until then keep using the source: nothing in it was changed.',
    details: { space },
  });
}

import type { SpaceId } from '../model/ids.ts';
import type { Log } from './ports.ts';

/** Long enough that a burst of writes does not pay for a segment in between two of them. */
const SOON_MS = 300;

export interface SoonTending {
  /** Work on this space is due: it is done in a moment, beside the searches. */
  due(space: SpaceId): void;
  stop(): void;
}

/** Never holds up whoever noticed the work, nor the end of the process. Where it fails, it is left to upkeep, which tells. */
export function createSoonTending(tend: (space: SpaceId) => Promise<unknown>, log: Log): SoonTending {
  const waiting = new Map<SpaceId, NodeJS.Timeout>();
  const leftToUpkeep = new Set<SpaceId>();
  let isStopped = false;
  const run = async (space: SpaceId): Promise<void> => {
    try {
      await tend(space);
    } catch (error) {
      leftToUpkeep.add(space);
      log.warn('index_not_stored', { space, message: error instanceof Error ? error.message : String(error) });
    } finally {
      waiting.delete(space);
    }
  };
  return {
    due(space) {
      if (isStopped || waiting.has(space) || leftToUpkeep.has(space)) return;
      waiting.set(space, setTimeout(() => void run(space), SOON_MS).unref());
    },
    stop() {
      isStopped = true;
      for (const timer of waiting.values()) clearTimeout(timer);
    },
  };
}

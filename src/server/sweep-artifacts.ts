import type { OAuthStore } from '../auth/ports.ts';
import type { Engine } from '../engine/engine.ts';
import type { Clock } from '../engine/ports.ts';

/** Few enough that other writers get their turn in between. */
const AT_ONCE = 500;

/** Forgets codes, tokens and clients of OAuth that are past their time, before each round of the engine's own work. */
export function withArtifactSweep(
  engine: Pick<Engine, 'runUpkeep'>,
  store: Pick<OAuthStore, 'removeExpiredArtifacts'>,
  clock: Clock,
): Pick<Engine, 'runUpkeep'> {
  return {
    async runUpkeep(signal, options) {
      let removed = AT_ONCE;
      while (removed === AT_ONCE && signal?.aborted !== true)
        removed = await store.removeExpiredArtifacts(clock.now(), AT_ONCE);
      return engine.runUpkeep(signal, options);
    },
  };
}

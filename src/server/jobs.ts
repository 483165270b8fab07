import type { OAuthStore } from '../auth/ports.ts';
import type { Engine } from '../engine/engine.ts';
import type { Clock, Log } from '../engine/ports.ts';
import { EngineError } from '../model/errors.ts';

export interface Upkeep {
  /** Asks for a round now, after a burst of writes for example; joins one that is under way. */
  runNow(): Promise<void>;
  /** Resolves when nothing runs any more. */
  stop(): Promise<void>;
}

export interface UpkeepOptions {
  everySeconds: number;
  log: Log;
}

/** Background work at intervals, one round at a time. The timer never keeps the process alive. */
export function startUpkeep(engine: Pick<Engine, 'runUpkeep'>, options: UpkeepOptions): Upkeep {
  const abort = new AbortController();
  let round: Promise<void> | null = null;
  const runNow = (): Promise<void> => {
    if (abort.signal.aborted) return Promise.resolve();
    round ??= runRound(engine, options.log, abort.signal).finally(() => {
      round = null;
    });
    return round;
  };
  const timer = setInterval(() => void runNow(), options.everySeconds * 1000);
  timer.unref();
  return {
    runNow,
    async stop() {
      clearInterval(timer);
      abort.abort();
      await round;
    },
  };
}

/**
 * For a process that serves one agent: many of them may share a database, so they do nothing while nothing happens.
 * A round follows some seconds after the engine was opened, and after writes; what a process that ends earlier leaves is done by the next.
 */
export function upkeepAfterWrites(engine: Engine, options: UpkeepOptions): { engine: Engine; afterWrite(): void } {
  const abort = new AbortController();
  let timer: NodeJS.Timeout | null = null;
  let round = Promise.resolve();
  const schedule = (): void => {
    if (timer !== null || abort.signal.aborted) return;
    timer = setTimeout(() => {
      timer = null;
      round = round.then(() => runRound(engine, options.log, abort.signal));
    }, options.everySeconds * 1000);
    timer.unref();
  };
  schedule();
  const close = async (): Promise<void> => {
    abort.abort();
    if (timer !== null) clearTimeout(timer);
    await round;
    await engine.close();
  };
  return { engine: { ...engine, close }, afterWrite: schedule };
}

/** A failed round is logged and left to the next one: what it was to do is still pending in the store. */
async function runRound(engine: Pick<Engine, 'runUpkeep'>, log: Log, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const startedAt = performance.now();
  try {
    const report = await engine.runUpkeep(signal);
    if (Object.values(report).some((count) => count > 0))
      log.info('upkeep', { ...report, ms: Math.round(performance.now() - startedAt) });
  } catch (error) {
    if (signal.aborted) return;
    log.error('upkeep_failed', {
      code: error instanceof EngineError ? error.code : 'internal',
      message: error instanceof Error ? error.message : String(error),
    });
  }
}

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

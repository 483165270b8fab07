import { announceServer, withdrawServer } from '../../../client/running-server.ts';
import type { Engine } from '../../../engine/engine.ts';
import type { Log } from '../../../engine/ports.ts';
import type { Config } from '../../../settings/config.ts';
import { type Intake, isSpoolFor, recordHere, startIntake } from './take-in.ts';

/** A server takes in what hooks on its machine capture. */
export function takeInWhileServing(config: Config, { engine, log }: { engine: Engine; log: Log }): Intake {
  if (!isSpoolFor('database', config)) return { takeLast: async () => undefined, close: async () => undefined };
  return startIntake(config.spool, { deliver: recordHere(engine), log });
}

interface Listening {
  url: string;
  /** The file that holds a token for it; null where nobody keeps one. */
  token: { file: string | null };
  close(): Promise<void>;
}

/** Hooks on this machine find it, and ask it for context, until it is closed. A folder that cannot be written to only costs them the time to open the database. */
export function findableByHooks<T extends Listening>(config: Config, log: Log, served: T): T {
  if (!isSpoolFor('database', config)) return served;
  try {
    announceServer(config.spool, { url: served.url, pid: process.pid, tokenFile: served.token.file });
  } catch (error) {
    log.warn('hooks_not_told', { folder: config.spool, code: (error as NodeJS.ErrnoException).code ?? 'internal' });
    return served;
  }
  const close = (): Promise<void> => {
    withdrawServer(config.spool, process.pid);
    return served.close();
  };
  return { ...served, close };
}

import { announceServer, withdrawServer } from '../../../client/running-server.ts';
import type { Log } from '../../../engine/ports.ts';
import type { Config } from '../../../settings/config.ts';
import type { Running, StartingServer } from '../../host.ts';
import { isSpoolFor, recordHere, startIntake } from './take-in.ts';

/** A server takes in what hooks on its machine capture. */
export async function takeInWhileServing({ config, engine, log }: StartingServer): Promise<(() => Running) | null> {
  if (!isSpoolFor('database', config)) return null;
  return () => startIntake(config.places.spool, { deliver: recordHere(engine), log });
}

/** Hooks on this machine find the server, and ask it for context, until it is closed. A folder that cannot be written to only costs them the time to open the database. */
export function tellHooks(
  config: Config,
  log: Log,
  { url, tokenFile }: { url: string; tokenFile: string | null },
): () => void {
  const nothing = (): void => undefined;
  if (!isSpoolFor('database', config)) return nothing;
  try {
    announceServer(config.places.spool, { url, pid: process.pid, tokenFile });
  } catch (error) {
    log.warn('hooks_not_told', {
      folder: config.places.spool,
      code: (error as NodeJS.ErrnoException).code ?? 'internal',
    });
    return nothing;
  }
  return () => withdrawServer(config.places.spool, process.pid);
}

import type { Log } from '../engine/ports.ts';
import type { OnProgress } from '../verbs/verb.ts';

interface ProgressNotice {
  method: 'notifications/progress';
  params: { progressToken: string | number; progress: number; total: number; message: string };
}

/** Of one call, however many steps it has. */
const MOST_NOTICES = 100;

/** Tells the client how far its call has come, by the token that it gave; undefined where it gave none. */
export function createProgress(
  progressToken: string | number | undefined,
  notify: (notice: ProgressNotice) => Promise<void>,
  log: Log,
): OnProgress | undefined {
  if (progressToken === undefined) return undefined;
  let told = -1;
  return (progress, total, message) => {
    // Each must be more than the one before, as the protocol wants it.
    if (progress <= told || (progress < total && progress < told + total / MOST_NOTICES)) return;
    told = progress;
    notify({ method: 'notifications/progress', params: { progressToken, progress, total, message } }).catch(
      (error: unknown) => log.warn('mcp_not_told', { message: String(error).slice(0, 200) }),
    );
  };
}

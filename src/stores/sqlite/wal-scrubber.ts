import type { Log } from '../../engine/ports.ts';
import type { Connection } from './connection.ts';
import { translateError } from './translate-error.ts';

const RETRY_MS = 1_000;
/** A reader that stays longer than this on an old state is not waited for; the next purge or the last close scrubs. */
const MAX_RETRIES = 120;

/** Empties the write-ahead log, which still holds the words of what was purged from the database itself. */
export interface WalScrubber {
  /** At once if no other process is reading, else in the background as soon as that is so. */
  scrub(): void;
  close(): void;
}

export function createWalScrubber(connection: Connection, log: Log): WalScrubber {
  let timer: NodeJS.Timeout | null = null;
  let retries = 0;

  function attempt(): void {
    timer = null;
    if (truncateWal(connection)) {
      retries = 0;
    } else if (retries++ < MAX_RETRIES) {
      timer = setTimeout(attempt, RETRY_MS).unref();
    } else {
      log.warn('wal_not_scrubbed', { retries: MAX_RETRIES });
    }
  }

  function stop(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  }

  return {
    scrub() {
      stop();
      retries = 0;
      attempt();
    },
    close: stop,
  };
}

/**
 * Moves the log into the database and cuts it to nothing. False while another process reads or writes, and when the disk does not let us:
 * nothing is lost then, and whoever asked may ask again.
 */
export function truncateWal(connection: Connection): boolean {
  try {
    return connection.statement('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0;
  } catch (error) {
    if (translateError(error).code === 'internal') throw error;
    return false;
  }
}

import type { FollowedChange } from '../engine/follow-changes.ts';
import type { Log } from '../engine/ports.ts';
import type { Opened } from './access.ts';
import { recordUri } from './record-uri.ts';

/** Enough for any client; each costs a look at every change. */
const MAX_URIS = 500;
/** Depend on which memories there are and how they are labelled, not on one of them. */
const WHOLE = /^memory:\/\/(stats|tags|types|(recent|tag|search)\/.+)$/;

export interface ResourceSubscriptions {
  /** False: there are too many. Resolves when no later change can be missed. */
  add(uri: string): Promise<boolean>;
  remove(uri: string): void;
  close(): void;
}

/** Tells which of the resources somebody asked about may read differently now. Follows the change feed only while there is something to tell. */
export function createSubscriptions(
  open: () => Promise<Opened>,
  tell: (uri: string) => void,
  log: Log,
): ResourceSubscriptions {
  const uris = new Set<string>();
  let following: { end: AbortController; started: Promise<void> } | null = null;

  async function follow(signal: AbortSignal, onStart: () => void): Promise<void> {
    try {
      const { engine, caller } = await open();
      for await (const { changes } of engine.followChanges(caller, { signal })) {
        onStart();
        for (const uri of uris) if (changes.some((change) => concerns(uri, change))) tell(uri);
      }
    } catch (error) {
      log.warn('mcp_subscription_ended', { message: error instanceof Error ? error.message : String(error) });
      onStart();
    }
  }

  function start(): { end: AbortController; started: Promise<void> } {
    const end = new AbortController();
    return { end, started: new Promise((resolve) => void follow(end.signal, resolve)) };
  }

  function stop(): void {
    following?.end.abort();
    following = null;
  }

  return {
    async add(uri) {
      if (!uris.has(uri) && uris.size >= MAX_URIS) return false;
      uris.add(uri);
      following ??= start();
      await following.started;
      return true;
    },
    remove(uri) {
      uris.delete(uri);
      if (uris.size === 0) stop();
    },
    close: stop,
  };
}

function concerns(uri: string, { entry }: FollowedChange): boolean {
  if (entry.op === 'embedded' || entry.op === 'related' || entry.op === 'unrelated') return false;
  return uri === recordUri(entry.id) || WHOLE.test(uri);
}

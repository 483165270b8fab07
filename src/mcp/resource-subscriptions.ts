import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';
import type { Engine } from '../engine/engine.ts';
import type { FollowedChange } from '../engine/follow-changes.ts';
import type { Log } from '../engine/ports.ts';
import type { Caller } from '../model/caller.ts';
import type { RecordId } from '../model/ids.ts';
import { isObject } from '../model/json-text.ts';
import type { Opened } from './access.ts';

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
  let following: ReturnType<typeof start> | null = null;

  async function follow(signal: AbortSignal, onStart: () => void): Promise<void> {
    try {
      const { engine, caller } = await open();
      for await (const { changes } of engine.followChanges(caller, { signal })) {
        onStart();
        for (const uri of uris) if (changes.some((change) => concerns(engine, uri, change))) tell(uri);
      }
    } catch (error) {
      log.warn('mcp_subscription_ended', { message: error instanceof Error ? error.message : String(error) });
      onStart();
    }
  }

  function start() {
    const end = new AbortController();
    return { end, started: new Promise<void>((resolve) => void follow(end.signal, resolve)) };
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

export function recordUri(id: RecordId): string {
  return `memory://record/${id}`;
}

/** Kinds that come by the hundred are in none of the wholes. */
function concerns({ kinds }: Engine, uri: string, { entry }: FollowedChange): boolean {
  if (entry.op === 'embedded' || entry.op === 'related' || entry.op === 'unrelated') return false;
  return (
    uri === recordUri(entry.id) ||
    (WHOLE.test(uri) && !kinds.unusual.includes(entry.kind ?? '') && !kinds.parts.includes(entry.kind ?? ''))
  );
}

/** The SDK's bus is one for all streams and knows no caller; here each stream follows the spaces of whoever opened it, and nothing else. */
export function createListeners(engine: Engine, log: Log) {
  const asking = new AsyncLocalStorage<{ caller: Caller; uris: readonly string[] }>();
  const bus: ServerEventBus = {
    publish: () => {},
    subscribe(listener: (event: ServerEvent) => void) {
      const asked = asking.getStore();
      if (asked === undefined) return () => {};
      const opened = { engine, caller: asked.caller };
      const tell = (uri: string): void => listener({ kind: 'resource_updated', uri });
      const subscriptions = createSubscriptions(async () => opened, tell, log);
      for (const uri of asked.uris) void subscriptions.add(uri);
      return () => subscriptions.close();
    },
  };
  /** What is done inside may open a stream of `subscriptions/listen`: it will be this caller's. */
  function serve<T>(caller: Caller, body: unknown, answer: () => Promise<T>): Promise<T> {
    const uris = wantedUris(body);
    return uris.length === 0 ? answer() : asking.run({ caller, uris }, answer);
  }
  return { bus, serve };
}

/** The resources that a `subscriptions/listen` asks about. */
export function wantedUris(message: unknown): readonly string[] {
  if (!isObject(message) || message.method !== 'subscriptions/listen' || !isObject(message.params)) return [];
  const { notifications } = message.params;
  const uris = isObject(notifications) ? notifications.resourceSubscriptions : undefined;
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === 'string') : [];
}

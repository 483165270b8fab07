import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';
import type { Engine } from '../engine/engine.ts';
import type { Log } from '../engine/ports.ts';
import type { Caller } from '../model/caller.ts';
import { isObject } from '../model/json-text.ts';
import { createSubscriptions } from './resource-subscriptions.ts';

export interface Listeners {
  bus: ServerEventBus;
  /** What is done inside may open a stream of `subscriptions/listen`: it will be this caller's. */
  serve<T>(caller: Caller, body: unknown, answer: () => Promise<T>): Promise<T>;
}

/** The SDK's bus is one for all streams and knows no caller; here each stream follows the spaces of whoever opened it, and nothing else. */
export function createListeners(engine: Engine, log: Log): Listeners {
  const asking = new AsyncLocalStorage<{ caller: Caller; uris: readonly string[] }>();
  return {
    bus: {
      publish: () => {},
      subscribe(listener: (event: ServerEvent) => void) {
        const asked = asking.getStore();
        if (asked === undefined) return () => {};
        const { caller, uris } = asked;
        const subscriptions = createSubscriptions(
          async () => ({ engine, caller }),
          (uri) => listener({ kind: 'resource_updated', uri }),
          log,
        );
        for (const uri of uris) void subscriptions.add(uri);
        return () => subscriptions.close();
      },
    },
    serve(caller, body, answer) {
      const uris = wantedUris(body);
      return uris.length === 0 ? answer() : asking.run({ caller, uris }, answer);
    },
  };
}

/** The resources that a `subscriptions/listen` asks about. */
export function wantedUris(message: unknown): readonly string[] {
  if (!isObject(message) || message.method !== 'subscriptions/listen' || !isObject(message.params)) return [];
  const { notifications } = message.params;
  const uris = isObject(notifications) ? notifications.resourceSubscriptions : undefined;
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === 'string') : [];
}

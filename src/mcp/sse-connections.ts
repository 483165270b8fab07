import { randomBytes } from 'node:crypto';
import type { Server } from '@modelcontextprotocol/server';
import type { Log } from '../engine/ports.ts';
import type { Caller } from '../model/caller.ts';
import { openSseStream, type SseStream } from './sse-stream.ts';

/** Idle ones included; each costs some tens of kilobytes. */
const MAX_CONNECTIONS = 2000;
const KEEP_ALIVE_MS = 15_000;
const IDLE_MS = 15 * 60_000;

/** Messages are taken only from somebody who could have opened the stream. */
export type SseOwner = Pick<Caller, 'userId' | 'space' | 'spaces'>;

export interface SseConnections {
  /** Ends by itself when the client leaves, when the signal says so, or when it is not used for long. */
  open(wanted: {
    owner: SseOwner;
    server: Server;
    endpoint: (id: string) => string;
    signal: AbortSignal;
    onEnd: () => void;
  }): Promise<SseStream>;
  /** null: there is none, or it is another user's or for other spaces. */
  find(id: string, asker: SseOwner): SseStream | null;
  close(): Promise<void>;
}

interface Connection {
  owner: SseOwner;
  stream: SseStream;
}

/** The streams of the older HTTP+SSE transport: answers travel on the stream, messages come in by other requests. */
export function createSseConnections(log: Log): SseConnections {
  const connections = new Map<string, Connection>();
  let timer: NodeJS.Timeout | null = null;

  function tick(): void {
    const oldest = Date.now() - IDLE_MS;
    for (const { stream } of [...connections.values()]) {
      if (stream.usedAt < oldest) stream.end();
      else stream.write(': keep-alive\n\n');
    }
  }

  function drop(id: string): void {
    connections.delete(id);
    if (connections.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  }

  /** Whoever has most of them gives one up: the one that has been silent longest. */
  function makeRoom(): void {
    if (connections.size < MAX_CONNECTIONS) return;
    const byUser = Map.groupBy(connections.values(), ({ owner }) => owner.userId);
    const [most = []] = [...byUser.values()].sort((a, b) => b.length - a.length);
    most
      .map(({ stream }) => stream)
      .reduce((oldest, stream) => (stream.usedAt < oldest.usedAt ? stream : oldest))
      .end();
    log.warn('sse_connections_full', { limit: MAX_CONNECTIONS });
  }

  return {
    async open({ owner, server, endpoint, signal, onEnd }) {
      makeRoom();
      const id = randomBytes(16).toString('hex');
      const end = (): void => stream.end();
      const stream = await openSseStream(server, () => {
        signal.removeEventListener('abort', end);
        drop(id);
        onEnd();
      });
      connections.set(id, { owner, stream });
      timer ??= setInterval(tick, KEEP_ALIVE_MS).unref();
      signal.addEventListener('abort', end);
      stream.write(`event: endpoint\ndata: ${endpoint(id)}\n\n`);
      if (signal.aborted) end();
      return stream;
    },
    find(id, asker) {
      const found = connections.get(id);
      return found !== undefined && isSameOwner(found.owner, asker) ? found.stream : null;
    },
    async close() {
      for (const { stream } of [...connections.values()]) stream.end();
    },
  };
}

function isSameOwner(a: SseOwner, b: SseOwner): boolean {
  return (
    a.userId === b.userId &&
    a.space === b.space &&
    a.spaces.length === b.spaces.length &&
    a.spaces.every((space) => b.spaces.includes(space))
  );
}

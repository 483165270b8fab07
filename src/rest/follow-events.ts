import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { authorizationOf } from '../auth/authenticate.ts';
import { IDLE } from '../auth/stream-guard.ts';
import type { FollowedPage } from '../engine/follow-changes.ts';
import type { SearchDone } from '../engine/observe-searches.ts';
import type { Caller } from '../model/caller.ts';
import { toIso } from '../model/instant.ts';
import { readPositions, type SentEvent, toEvents, writePositions } from './change-events.ts';
import type { RestPorts } from './rest-env.ts';
import type { Route } from './route.ts';

export const followEvents: Route = {
  method: 'GET',
  path: '/events',
  name: 'followEvents',
  action: 'read',
  group: 'State',
  summary: 'Stream every change as server-sent events',
  headers: ['Last-Event-ID'],
  answers: {
    200: {
      description:
        'Events until either side ends it: connection_established, heartbeat, memory_stored, memory_updated, memory_deleted, memory_restored …',
      schema: z.string(),
      contentType: 'text/event-stream',
    },
  },
  async handle({ caller, header, request, ...ports }) {
    const held = ports.streams.hold(authorizationOf(request) ?? '', caller);
    const lastId = header('Last-Event-ID');
    const { touch } = held;
    const stream = openEventStream((sink, signal) => tellChanges(sink, { caller, ports, lastId, signal, touch }), {
      outer: held.signal,
      onEnd: held.release,
    });
    return {
      status: 200,
      stream,
      headers: {
        'Content-Type': 'text/event-stream',
        'Cache-Control': 'no-cache, no-transform',
        'X-Accel-Buffering': 'no',
      },
    };
  },
};

interface Telling {
  caller: Caller;
  ports: RestPorts;
  lastId: string | undefined;
  signal: AbortSignal;
  /** A change was told. */
  touch(): void;
}

async function tellChanges(sink: EventSink, { caller, ports, lastId, signal, touch }: Telling): Promise<void> {
  const { engine, streams, onSearch, clock, heartbeatMs, log } = ports;
  const now = (): string => toIso(clock.now());
  const after = readPositions(lastId);
  const heartbeat = setInterval(() => {
    sink.offer({
      name: 'heartbeat',
      data: { timestamp: now(), active_connections: streams.countOf(caller.userId), server_status: 'healthy' },
    });
  }, heartbeatMs);
  const stopListening = onSearch((done) => {
    // a token that opens one team alone must not hear what its owner looks for elsewhere
    if (done.userId === caller.userId && done.spaces.every((space) => caller.spaces.includes(space)))
      sink.offer(searchCompleted(done, now()));
  });
  let reason = 'ended by the server';
  const idle = 'nothing has happened for a while; connect again, with the id of the last event';
  try {
    let positions = new Map();
    for await (const page of engine.followChanges(caller, after === null ? { signal } : { signal, after })) {
      touch();
      if (page.changes.length === 0 && positions.size > 0) await sink.send(fallenBehind(page, now()));
      else if (page.changes.length === 0)
        await sink.send(established(page, { timestamp: now(), heartbeatMs, isResumed: after !== null }));
      for (const event of toEvents(page, positions, engine.kinds)) await sink.send(event);
      positions = new Map(page.positions);
    }
  } catch (error) {
    log.error('events_broken', { message: error instanceof Error ? error.message : String(error) });
    reason = 'a failure inside the server';
  } finally {
    clearInterval(heartbeat);
    stopListening();
  }
  sink.offer({
    name: 'connection_closed',
    data: { timestamp: now(), message: `Connection closed: ${signal.reason === IDLE ? idle : reason}.` },
  });
}

function established(
  { positions, reset }: FollowedPage,
  { timestamp, heartbeatMs, isResumed }: { timestamp: string; heartbeatMs: number; isResumed: boolean },
): SentEvent {
  const data = {
    timestamp,
    connection_id: randomUUID(),
    message: isResumed ? 'Connected; missed events follow' : 'Connected to the event stream',
    heartbeat_interval: heartbeatMs / 1000,
    resumed: isResumed && reset.length === 0,
    ...(reset.length > 0 && {
      message: 'Connected; the changes since your last event are not in this database, or no longer: read anew',
      reset,
    }),
  };
  return { name: 'connection_established', data, id: writePositions(positions) };
}

/** The feed is pruned behind readers that are too slow for it. */
function fallenBehind({ positions, reset }: FollowedPage, timestamp: string): SentEvent {
  const message = 'You have fallen behind what is kept of the changes: read anew';
  return { name: 'positions_reset', data: { timestamp, message, reset }, id: writePositions(positions) };
}

function searchCompleted({ query, mode, results, ms }: SearchDone, timestamp: string): SentEvent {
  const data = {
    timestamp,
    query,
    search_type: mode,
    results_count: results,
    processing_time_ms: ms,
    message: `Search completed: ${results} found`,
  };
  return { name: 'search_completed', data };
}

interface EventSink {
  /** Resolves when the client has room for more. */
  send(event: SentEvent): Promise<void>;
  /** Only if there is room: for what may be left out. */
  offer(event: SentEvent): void;
}

/** A client that does not read this much is waited for. */
const BUFFER_BYTES = 64 * 1024;

/**
 * A body of server-sent events that `run` writes. It ends when `run` ends; the signal that `run` gets is aborted when the client leaves or `outer` is aborted.
 * `onEnd` is called once, whoever ended it.
 */
function openEventStream(
  run: (sink: EventSink, signal: AbortSignal) => Promise<void>,
  { outer, onEnd }: { outer: AbortSignal; onEnd: () => void },
): ReadableStream<Uint8Array> {
  const leaving = new AbortController();
  const signal = AbortSignal.any([outer, leaving.signal]);
  const encoder = new TextEncoder();
  let room: (() => void) | null = null;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const write = (event: SentEvent): void => {
          if (!leaving.signal.aborted) controller.enqueue(encoder.encode(formatEvent(event)));
        };
        const sink: EventSink = {
          async send(event) {
            write(event);
            if ((controller.desiredSize ?? 0) > 0 || signal.aborted) return;
            await new Promise<void>((resolve) => {
              room = resolve;
              signal.addEventListener('abort', () => resolve(), { once: true });
            });
          },
          offer(event) {
            if ((controller.desiredSize ?? 0) > 0) write(event);
          },
        };
        run(sink, signal)
          .then(
            () => leaving.signal.aborted || controller.close(),
            (error: unknown) => leaving.signal.aborted || controller.error(error),
          )
          .finally(onEnd);
      },
      pull: () => room?.(),
      cancel: () => leaving.abort(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: BUFFER_BYTES }),
  );
}

function formatEvent({ name, data, id }: SentEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify({ ...data, event_type: name })}\n\n`;
}

/** One event as it goes over the wire. */
export interface SentEvent {
  name: string;
  data: Record<string, unknown>;
  /** Where to go on after it. */
  id?: string;
}

export interface EventSink {
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
export function openEventStream(
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
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

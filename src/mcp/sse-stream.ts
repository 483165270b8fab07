import type { AuthInfo, JSONRPCMessage, Server, Transport } from '@modelcontextprotocol/server';

/** What a client has not read yet; more means that it does not read. */
const MAX_UNREAD_BYTES = 8 << 20;

/** One stream of events with a server of its own behind it. */
export interface SseStream {
  body: ReadableStream<Uint8Array>;
  /** When something was last sent either way, keep-alives apart. */
  usedAt: number;
  write(text: string): void;
  receive(message: JSONRPCMessage, authInfo: AuthInfo): void;
  /** Closes the server too. */
  end(): void;
}

/** `onEnd` is called once, whoever ends it: the client that leaves or does not read, or we. */
export async function openSseStream(server: Server, onEnd: () => void): Promise<SseStream> {
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  const begin = (given: ReadableStreamDefaultController<Uint8Array>): void => {
    controller = given;
  };
  const stream: SseStream = {
    body: new ReadableStream(
      { start: begin, cancel: () => stream.end() },
      new ByteLengthQueuingStrategy({ highWaterMark: MAX_UNREAD_BYTES }),
    ),
    usedAt: Date.now(),
    write(text) {
      if (controller === null) return;
      // before, not after: one answer may be larger than all that may wait
      if ((controller.desiredSize ?? 0) <= 0) stream.end();
      else controller.enqueue(encoder.encode(text));
    },
    receive(message, authInfo) {
      stream.usedAt = Date.now();
      transport.onmessage?.(message, { authInfo });
    },
    end() {
      const ending = controller;
      if (ending === null) return;
      controller = null;
      closeQuietly(ending);
      onEnd();
      void server.close();
    },
  };
  const transport: Transport = {
    start: async () => {},
    send: async (message) => {
      stream.usedAt = Date.now();
      stream.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    },
    close: async () => transport.onclose?.(),
  };
  await server.connect(transport);
  return stream;
}

/** A stream that the client has cancelled is closed already. */
function closeQuietly(controller: ReadableStreamDefaultController<Uint8Array>): void {
  try {
    controller.close();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

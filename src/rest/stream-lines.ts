import { Duplex } from 'node:stream';
import { createZstdCompress } from 'node:zlib';
import type { Log } from '../engine/ports.ts';

/**
 * A body of these lines, made as fast as the client takes them. The first one is awaited, so that a call that fails at once still gets a proper answer;
 * a later failure can only break the connection off, which clients notice.
 */
export async function streamLines(lines: AsyncIterable<string>, log: Log): Promise<ReadableStream<Uint8Array>> {
  const iterator = lines[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let next: IteratorResult<string> | null = await iterator.next();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = next ?? (await iterator.next());
        next = null;
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(value.endsWith('\n') ? value : `${value}\n`));
      } catch (error) {
        log.error('stream_broken', { message: error instanceof Error ? error.message : String(error) });
        controller.error(error);
      }
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

/** Many records in a row are much alike: sent to whoever understands it, they take a fifth of the room. */
export function compressLines(
  lines: ReadableStream<Uint8Array>,
  request: Request,
): { body: ReadableStream<Uint8Array>; headers: Record<string, string> } {
  const asked = request.headers.get('Accept-Encoding') ?? '';
  if (!/(^|[\s,])zstd(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(asked)) return { body: lines, headers: {} };
  const zstd = Duplex.toWeb(createZstdCompress()) as unknown as ReadableWritablePair<Uint8Array, Uint8Array>;
  return { body: lines.pipeThrough(zstd), headers: { 'Content-Encoding': 'zstd', Vary: 'Accept-Encoding' } };
}

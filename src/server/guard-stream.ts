import type { HeldStream } from '../auth/stream-guard.ts';

export function isEventStream(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('text/event-stream') === true;
}

/** The same answer, which ends with its credential. */
export async function guardStream(response: Response, hold: () => HeldStream): Promise<Response> {
  if (response.body === null) return response;
  const reader = response.body.getReader();
  const held = await holdOrCancel(hold, reader);
  const stop = (): void => void reader.cancel();
  const finish = (): void => {
    held.signal.removeEventListener('abort', stop);
    held.release();
  };
  held.signal.addEventListener('abort', stop);
  if (held.signal.aborted) stop();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        finish();
        controller.close();
      },
      async cancel(reason) {
        finish();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status: response.status, headers: response.headers });
}

/** A stream that may not stay open must not go on unseen. */
async function holdOrCancel(
  hold: () => HeldStream,
  reader: ReadableStreamDefaultReader<Uint8Array>,
): Promise<HeldStream> {
  try {
    return hold();
  } catch (error) {
    await reader.cancel();
    throw error;
  }
}

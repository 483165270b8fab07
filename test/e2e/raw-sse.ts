/** A stream of events, read by hand, as curl would. */
export interface RawStream {
  status: number;
  headers: Headers;
  /** The next event; null when the stream has ended. Comments are passed over. */
  next(): Promise<RawEvent | null>;
  /** Whether a comment has come by since the last question. */
  comments(): number;
  close(): Promise<void>;
}

export interface RawEvent {
  event: string;
  data: string;
  id?: string;
}

export async function openRawStream(url: string, headers: Record<string, string>): Promise<RawStream> {
  const leaving = new AbortController();
  const response = await fetch(url, { headers: { accept: 'text/event-stream', ...headers }, signal: leaving.signal });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let unread = '';
  let comments = 0;
  return {
    status: response.status,
    headers: response.headers,
    async next() {
      for (;;) {
        const end = unread.indexOf('\n\n');
        if (end >= 0) {
          const block = unread.slice(0, end);
          unread = unread.slice(end + 2);
          if (!block.startsWith(':')) return readEvent(block);
          comments += 1;
          continue;
        }
        const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
        if (done || value === undefined) return null;
        unread += value;
      }
    },
    comments: () => comments,
    async close() {
      leaving.abort();
      await reader.cancel().catch(() => {});
    },
  };
}

function readEvent(block: string): RawEvent {
  const fields = Object.fromEntries(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return {
    event: fields.event ?? 'message',
    data: fields.data ?? '',
    ...(fields.id !== undefined && { id: fields.id }),
  };
}

import { read } from 'node:fs';
import { isObject, parseJson } from '../model/json-text.ts';

/** What is read and understood as a whole; of what is longer, the beginning. */
const MOST_BYTES = 4 << 20;
const CHUNK = 1 << 16;
/** Of a text that was cut, so much is enough for ids, names and the beginning of what a tool gave back. */
const MOST_SALVAGED = 48 << 10;

export interface Received {
  fields: Record<string, unknown> | null;
  /** In bytes, as far as it was read. */
  length: number;
  /** It was too long, or did not come to its end in time: `fields` is its beginning. */
  isCut: boolean;
  /** A read is still under way, which keeps the process from ending in the usual manner. */
  isWaiting: boolean;
}

/**
 * The JSON object on a file descriptor: when the text is complete, whether or not anybody closes the other end; else what has come by then. Reads by itself
 * because the streams of Node take four milliseconds to load.
 */
export function readObjectFrom(fd: number, timeoutMs: number): Promise<Received> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let isDone = false;
    const finish = (isWaiting: boolean): void => {
      if (isDone) return;
      isDone = true;
      clearTimeout(timer);
      const bytes = Buffer.concat(chunks);
      const whole = length <= MOST_BYTES ? parseJson(bytes.toString('utf8')) : undefined;
      const fields = isObject(whole) ? whole : salvage(bytes.toString('utf8', 0, MOST_SALVAGED));
      resolve({ fields, length, isCut: !isObject(whole), isWaiting });
    };
    const timer = setTimeout(() => finish(true), timeoutMs);
    const next = (): void => {
      const buffer = Buffer.allocUnsafe(CHUNK);
      read(fd, buffer, 0, CHUNK, null, (error, count) => {
        // EAGAIN: the other end made it non-blocking; an error is also how Windows says that it was closed.
        if (error?.code === 'EAGAIN') return void setTimeout(next, 2);
        if (error !== null || count === 0) return finish(false);
        length += count;
        // The rest is read and thrown away, so that the agent does not meet a closed pipe.
        if (isDone) return next();
        chunks.push(buffer.subarray(0, count));
        if (length > MOST_BYTES || isComplete(chunks, length)) finish(false);
        if (!isDone || length > MOST_BYTES) next();
      });
    };
    next();
  });
}

/** Only where the last character may be the end of an object, and the text is short enough to be looked at again. */
function isComplete(chunks: readonly Buffer[], length: number): boolean {
  if (length > 4 * CHUNK) return false;
  return (
    /\}\s*$/.test(chunks.at(-1)!.toString('latin1').slice(-16)) &&
    isObject(parseJson(Buffer.concat(chunks).toString('utf8')))
  );
}

/** The last of it may be half of a secret: so much is left out, back to the end of a word. */
const DOUBTFUL = 1024;

/** Where a text that begins at `start` and is cut at the end may be closed. */
function soundEnd(text: string, start: number): number {
  let end = start;
  for (let at = start; at <= text.length - DOUBTFUL; at++) {
    if (text[at] === '\\') {
      end = at;
      at += text[at + 1] === 'u' ? 5 : 1;
    } else if (!/[\w+/=.~:%-]/.test(text[at]!)) end = at + 1;
  }
  return end;
}

/** An object or a list that has not ended, and the one it stands in. */
interface Open {
  closer: '}' | ']';
  outer: Open | null;
}

/** The beginning of a JSON object, closed where it is cut: the last text becomes shorter, what is incomplete otherwise is left out. */
export function salvage(text: string): Record<string, unknown> | null {
  let open = null as Open | null;
  let textStart = 0;
  let isName = false;
  /** Up to there, with these closed, it is JSON. */
  let sound: { end: number; open: Open | null } = { end: 0, open };
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!;
    if (textStart > 0) {
      if (sign === '\\') at++;
      else if (sign === '"') textStart = 0;
    } else if (sign === '"') {
      textStart = at + 1;
      isName = /[{,]\s*$/.test(text.slice(Math.max(0, at - 8), at)) && open?.closer === '}';
    } else if (sign === '{' || sign === '[') open = { closer: sign === '{' ? '}' : ']', outer: open };
    else if (sign === '}' || sign === ']') open = open?.outer ?? null;
    else if (sign === ',') sound = { end: at, open };
  }
  if (textStart > 0 && !isName) {
    const closed = parseJson(`${text.slice(0, soundEnd(text, textStart))}"${closersOf(open)}`);
    if (isObject(closed)) return closed;
  }
  const closed = parseJson(text.slice(0, sound.end) + closersOf(sound.open));
  return isObject(closed) ? closed : null;
}

function closersOf(open: Open | null): string {
  const closers: string[] = [];
  for (let one = open; one !== null; one = one.outer) closers.push(one.closer);
  return closers.join('');
}

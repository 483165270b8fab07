import { read } from 'node:fs';
import { isObject, parseJson } from '../model/json-text.ts';

/** What is read and understood as a whole; of what is longer, the beginning. */
const MOST_BYTES = 16 << 20;
const CHUNK = 1 << 16;
/** Of a text that was cut, so much is enough for ids, names and the beginning of what a tool gave back. */
const MOST_SALVAGED = 256 << 10;

export interface Received {
  fields: Record<string, unknown> | null;
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
      const text = Buffer.concat(chunks).toString('utf8');
      const whole = length <= MOST_BYTES ? parseJson(text) : undefined;
      const salvaged = isObject(whole) ? whole : salvage(text.slice(0, MOST_SALVAGED));
      resolve({ fields: salvaged, isCut: !isObject(whole), isWaiting });
    };
    const timer = setTimeout(() => finish(true), timeoutMs);
    const next = (): void => {
      const buffer = Buffer.allocUnsafe(CHUNK);
      read(fd, buffer, 0, CHUNK, null, (error, count) => {
        if (isDone) return;
        // EAGAIN: the other end made it non-blocking; EOF: how Windows says that it was closed.
        if (error?.code === 'EAGAIN') return void setTimeout(next, 2);
        if (error !== null || count === 0) return finish(false);
        length += count;
        // The rest is read and thrown away, so that the agent does not meet a closed pipe.
        if (length <= MOST_BYTES + CHUNK) chunks.push(buffer.subarray(0, count));
        if (isComplete(chunks, length)) return finish(false);
        next();
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

function soundEnd(text: string): number {
  const start = text.lastIndexOf('"') + 1;
  for (let at = Math.max(start, text.length - DOUBTFUL); at > start; at--)
    if (/[\s,;]/.test(text[at - 1]!) && text[at - 2] !== '\\') return at;
  return start;
}

/** The beginning of a JSON object, closed where it is cut: the last text becomes shorter, what is incomplete otherwise is left out. */
export function salvage(text: string): Record<string, unknown> | null {
  const closers: string[] = [];
  let inText = false;
  /** The text up to here, with what would close it, is JSON. */
  let sound = '';
  let isName = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!;
    if (inText) {
      if (sign === '\\') at++;
      else if (sign === '"') inText = false;
    } else if (sign === '"') {
      inText = true;
      isName = /[{,]\s*$/.test(text.slice(Math.max(0, at - 8), at)) && closers.at(-1) === '}';
    } else if (sign === '{' || sign === '[') closers.push(sign === '{' ? '}' : ']');
    else if (sign === '}' || sign === ']') closers.pop();
    else if (sign === ',') sound = text.slice(0, at) + closers.toReversed().join('');
  }
  if (inText && !isName) {
    const closed = parseJson(`${text.slice(0, soundEnd(text))}"${closers.toReversed().join('')}`);
    if (isObject(closed)) return closed;
  }
  const closed = parseJson(sound);
  return isObject(closed) ? closed : null;
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import { EngineError } from './errors.ts';

/** No record comes near this; text without line ends must not fill the memory. */
const MAX_LINE_CHARS = 16 * 2 ** 20;
/** Whoever sends millions of short lines waits; others get their turn. */
const STRETCH_MS = 8;
/** How many characters go by between two looks at the clock, an empty line counted as some. */
const LOOK_CHARS = 16_384;
const LINE_COST = 256;

/**
 * The lines of a body as they arrive. A connection that breaks off is an error, never a shorter text. Each character is looked at once, however the
 * chunks are cut: a line that is not finished waits in pieces.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array> | null): AsyncGenerator<string> {
  if (chunks === null) return;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let unfinished: string[] = [];
  let length = 0;
  let since = performance.now();
  let passed = 0;
  const hold = (piece: string): void => {
    length += piece.length;
    if (length > MAX_LINE_CHARS)
      throw new EngineError('too_large', `A line is longer than ${MAX_LINE_CHARS} characters.`, {
        details: { reason: 'line_too_long', limit: MAX_LINE_CHARS },
      });
    if (piece !== '') unfinished.push(piece);
  };
  for await (const chunk of chunks) {
    const text = decode(decoder, chunk);
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      const line = text.slice(from, end);
      from = end + 1;
      if (length === 0) yield line;
      else {
        hold(line);
        yield unfinished.join('');
        unfinished = [];
        length = 0;
      }
      passed += line.length + LINE_COST;
      if (passed < LOOK_CHARS) continue;
      passed = 0;
      if (performance.now() - since < STRETCH_MS) continue;
      await nextTurn();
      since = performance.now();
    }
    hold(text.slice(from));
  }
  hold(decode(decoder, undefined));
  if (length > 0) yield unfinished.join('');
}

function decode(decoder: InstanceType<typeof TextDecoder>, chunk: Uint8Array | undefined): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch (cause) {
    throw new EngineError('invalid_input', 'The body is not UTF-8 text.', { cause });
  }
}

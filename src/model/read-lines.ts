import { EngineError } from './errors.ts';

/** No record comes near this; text without line ends must not fill the memory. */
const MAX_LINE_CHARS = 16 * 2 ** 20;

/** The lines of a body as they arrive. A connection that breaks off is an error, never a shorter text. */
export async function* readLines(chunks: AsyncIterable<Uint8Array> | null): AsyncGenerator<string> {
  if (chunks === null) return;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decode(decoder, chunk)).split('\n');
    rest = lines.pop()!;
    if (rest.length > MAX_LINE_CHARS)
      throw new EngineError('too_large', `A line is longer than ${MAX_LINE_CHARS} characters.`);
    yield* lines;
  }
  rest += decode(decoder, undefined);
  if (rest !== '') yield rest;
}

function decode(decoder: InstanceType<typeof TextDecoder>, chunk: Uint8Array | undefined): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch (cause) {
    throw new EngineError('invalid_input', 'The body is not UTF-8 text.', { cause });
  }
}

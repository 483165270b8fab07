import type { LogStream } from './log.ts';

/**
 * What is written in one turn of the event loop goes out in one piece: a write to stderr stops the whole process until it is done,
 * and a flood of refused requests is two lines each. Nothing waits longer than the turn, and the end of the process writes what is left.
 */
export function batchWrites(stream: LogStream): LogStream {
  let waiting = '';
  const flush = (): void => {
    const text = waiting;
    waiting = '';
    if (text !== '') stream.write(text);
  };
  process.on('exit', flush);
  return {
    isTTY: stream.isTTY === true,
    write(text) {
      if (waiting === '') setImmediate(flush);
      waiting += text;
    },
  };
}

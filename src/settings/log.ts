import type { Log } from '../engine/ports.ts';
import { escapeHiddenInJson } from '../model/hidden-characters.ts';

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug';

export interface LogStream {
  write(text: string): unknown;
  isTTY?: boolean;
}

const RANK: Record<LogLevel, number> = { silent: 0, error: 1, warn: 2, info: 3, debug: 4 };

/** One line per event: JSON, or readable text on a terminal. stdout belongs to protocols and results, so logs go to stderr. */
export function createLog(
  level: LogLevel,
  stream: LogStream = process.stderr,
  always: Record<string, string | number | boolean> = {},
): Log {
  const write =
    (at: Exclude<LogLevel, 'silent'>) =>
    (event: string, given: Record<string, string | number | boolean> = {}) => {
      if (RANK[at] > RANK[level]) return;
      const facts = { ...always, ...given };
      const time = new Date().toISOString();
      stream.write(
        stream.isTTY === true
          ? textLine(time, at, event, facts)
          : `${JSON.stringify({ time, level: at, event, ...facts })}\n`,
      );
    };
  return { info: write('info'), warn: write('warn'), error: write('error') };
}

function textLine(
  time: string,
  level: string,
  event: string,
  facts: Record<string, string | number | boolean>,
): string {
  const pairs = Object.entries(facts).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? quote(value) : value}`,
  );
  return `${[time.slice(11, 19), level.padEnd(5), event, ...pairs].join(' ')}\n`;
}

/** Quotes what could break the line or the terminal: spaces, control characters, escapes. */
function quote(value: string): string {
  return /^[\w.:/@+-]+$/.test(value) ? value : escapeHiddenInJson(JSON.stringify(value));
}

/**
 * What is written in one turn of the event loop goes out in one piece: a write to stderr stops the whole process until it is done,
 * and a flood of refused requests is two lines each. Nothing waits longer than the turn, and the end of the process writes what is left.
 */
export function batchWrites(stream: LogStream): LogStream {
  let waiting = '';
  const flush = (): void => {
    const text = waiting;
    waiting = '';
    for (const piece of cutAtLines(text)) stream.write(piece);
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

/** What a pipe takes in one piece: lines of processes that share one never mix. */
const PIECE_BYTES = 4096;

function* cutAtLines(text: string): Generator<string> {
  let rest = text;
  while (Buffer.byteLength(rest) > PIECE_BYTES) {
    // no character takes more than three bytes for each of its units
    const near = rest.lastIndexOf('\n', PIECE_BYTES / 3);
    const end = (near === -1 ? rest.indexOf('\n') : near) + 1;
    yield rest.slice(0, end);
    rest = rest.slice(end);
  }
  if (rest !== '') yield rest;
}

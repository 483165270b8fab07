import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandContext } from '../../../cli/command.ts';
import { EXIT } from '../../../cli/report-error.ts';
import { safeLine, safeText } from '../../../cli/safe-text.ts';
import { isObject, parseJson } from '../../../model/json-text.ts';
import { loadConfigOnce } from '../../../settings/config.ts';
import { usualLogFile } from '../../../settings/log-file.ts';

const DEFAULT_LINES = 50;
const MAX_LINES = 1_000_000;
const PIECE = 64 << 10;
const LOOK_MS = 250;

/** The last lines of the server's log; with --follow also those that come, until Ctrl-C. */
export async function logs({ args, env, sources, json, terminal }: CommandContext): Promise<number> {
  const path = loadConfigOnce(sources).logFile ?? usualLogFile(env);
  const show = (line: string): void => terminal.print(json ? line : readable(line));
  const lines = args.number('lines', { min: 0, max: MAX_LINES }) ?? DEFAULT_LINES;
  const known = statSync(path, { throwIfNoEntry: false });
  if (known === undefined) {
    terminal.note(
      `There is no log at ${path} yet. \`ltm serve --log-file FILE\` and the service of \`ltm setup --service\` write one; otherwise the log is on stderr.`,
    );
    if (!args.isOn('follow')) return EXIT.notFound;
  }
  let end = 0;
  if (known !== undefined) {
    end = known.size;
    for (const line of lastLines(path, lines)) show(line);
  }
  if (args.isOn('follow')) await follow(path, { from: end, inode: known?.ino ?? null, show });
  return EXIT.ok;
}

/** Read from the end, so that a long log costs no more than what is shown of it. The full file before it is read where this one has too few. */
function lastLines(path: string, wanted: number): string[] {
  const fd = openSync(path, 'r');
  try {
    let start = fstatSync(fd).size;
    let tail = Buffer.alloc(0);
    while (start > 0 && countLines(tail) <= wanted) {
      const length = Math.min(PIECE, start);
      start -= length;
      const piece = Buffer.alloc(length);
      readSync(fd, piece, 0, length, start);
      tail = Buffer.concat([piece, tail]);
    }
    const lines = tail.toString('utf8').split('\n').slice(0, -1);
    const missing = wanted - lines.length;
    const older = `${path.replace(/\.(\d)$/, '')}.${Number(/\.(\d)$/.exec(path)?.[1] ?? 0) + 1}`;
    const hasOlder = missing > 0 && statSync(older, { throwIfNoEntry: false }) !== undefined;
    return wanted === 0 ? [] : [...(hasOlder ? lastLines(older, missing) : []), ...lines].slice(-wanted);
  } finally {
    closeSync(fd);
  }
}

function countLines(bytes: Buffer): number {
  let count = 0;
  for (const byte of bytes) if (byte === 10) count += 1;
  return count;
}

interface Following {
  from: number;
  inode: number | null;
  show(line: string): void;
}

/** A file that was started anew is read from its beginning. */
async function follow(path: string, { from, inode, show }: Following): Promise<void> {
  let [at, file, rest] = [from, inode, ''];
  for (;;) {
    const now = statSync(path, { throwIfNoEntry: false });
    if (now !== undefined && (now.ino !== file || now.size < at)) [at, file, rest] = [0, now.ino, ''];
    if (now !== undefined && now.size > at) {
      const fd = openSync(path, 'r');
      const piece = Buffer.alloc(now.size - at);
      const read = readSync(fd, piece, 0, piece.length, at);
      closeSync(fd);
      at += read;
      const lines = (rest + piece.toString('utf8', 0, read)).split('\n');
      rest = lines.pop()!;
      for (const line of lines) show(line);
    }
    await sleep(LOOK_MS);
  }
}

/** `10:15:02 info  listening url=…`, as it is on a terminal. */
function readable(line: string): string {
  const said = parseJson(line);
  if (!isObject(said)) return safeLine(line);
  const { time, level, event, ...facts } = said;
  const isPlain = (value: unknown): boolean => typeof value === 'string' && /^[\w.:/@+-]+$/.test(value);
  const pairs = Object.entries(facts).map(
    ([name, value]) => `${name}=${isPlain(value) ? value : JSON.stringify(value)}`,
  );
  const start = `${String(time).slice(0, 19).replace('T', ' ')} ${String(level).padEnd(5)} ${String(event)}`;
  return safeText([start, ...pairs].join(' ')).replaceAll('\n', ' ');
}

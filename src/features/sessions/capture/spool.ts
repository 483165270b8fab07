import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { isObject, parseJson } from '../../../model/json-text.ts';
import type { SessionEvent } from '../../../model/session-event.ts';
import { listNames } from '../../../settings/list-names.ts';

/** What waits is bounded: from here on outputs are left out, and from there on events; what was left out is counted. */
const FULL_OF_OUTPUTS = 48 << 20;
const FULL = 64 << 20;
/** Kept free for the day on which the disk is full. */
const RESERVE = 1 << 20;

const CURRENT = 'events.jsonl';
const RESERVE_FILE = 'reserve';
const DROPPED_FILE = 'dropped';
const LEFT_OUT = '[LEFT OUT: the spool is full]';
const MOST_TRIES = 5;

/** `dropped`: there was no room for it. */
export type Appended = 'written' | 'dropped';

/**
 * Adds a line for the event, in one write. Whoever takes the file in renames it first: a line that was written to a file that has lost its name by then may not
 * have been seen, and is written again. Seen twice, it is recorded once, by its key.
 */
export function appendEvent(folder: string, event: SessionEvent): Appended {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const done = tryAppend(folder, event);
    if (done !== 'taken') return done;
  }
  return 'written';
}

function tryAppend(folder: string, event: SessionEvent): Appended | 'taken' {
  const path = join(folder, CURRENT);
  const fd = openForAppending(folder, path);
  try {
    const { size, ino } = fstatSync(fd);
    if (size > FULL) {
      countDropped(folder);
      return 'dropped';
    }
    writeWhole(fd, lineOf(size > FULL_OF_OUTPUTS ? withoutOutput(event) : event), folder);
    const now = statSync(path, { throwIfNoEntry: false });
    return now?.ino === ino ? 'written' : 'taken';
  } finally {
    closeSync(fd);
  }
}

function openForAppending(folder: string, path: string): number {
  try {
    return openSync(path, 'a', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    keepReserve(folder);
    return openSync(path, 'a', 0o600);
  }
}

/** A line end before it, too: half a line that somebody was stopped in spoils no other. */
function lineOf(event: SessionEvent): string {
  return `\n${JSON.stringify(event)}\n`;
}

function withoutOutput(event: SessionEvent): SessionEvent {
  return event.tool === undefined ? event : { ...event, tool: { ...event.tool, output: LEFT_OUT } };
}

/** On a full disk the reserve is given up, and the whole line is written once more. */
function writeWhole(fd: number, line: string, folder: string): void {
  const bytes = Buffer.from(line);
  const isWritten = (): boolean => {
    try {
      return writeSync(fd, bytes) === bytes.length;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC' || (error as NodeJS.ErrnoException).code === 'EDQUOT')
        return false;
      throw error;
    }
  };
  if (isWritten()) return;
  rmSync(join(folder, RESERVE_FILE), { force: true });
  if (!isWritten()) throw Object.assign(new Error('No room for the event.'), { code: 'ENOSPC' });
}

/** Real blocks: a file of holes would keep nothing free. Where even this has no room, there is none to keep. */
export function keepReserve(folder: string): void {
  const path = join(folder, RESERVE_FILE);
  if (statSync(path, { throwIfNoEntry: false })?.size === RESERVE) return;
  try {
    writeFileSync(path, Buffer.alloc(RESERVE, 1), { mode: 0o600 });
  } catch {
    rmSync(path, { force: true }); // no room
  }
}

/** As long as there were events: one byte each. */
function countDropped(folder: string): void {
  writeFileSync(join(folder, DROPPED_FILE), '.', { flag: 'a', mode: 0o600 });
}

export interface SpoolState {
  /** Events that nobody has taken in yet. */
  waiting: number;
  waitingBytes: number;
  /** Lines that could not be read or were refused; they lie in `refused/`. */
  refused: number;
  /** Events for which there was no room. */
  dropped: number;
  /** When the oldest waiting event happened: whoever fails to deliver writes the file anew. */
  oldestAt: number | null;
}

/** For people who ask how things stand. */
export function describeSpool(folder: string): SpoolState {
  const state: SpoolState = { waiting: 0, waitingBytes: 0, refused: 0, dropped: 0, oldestAt: null };
  for (const name of listNames(folder)) {
    if (!/\.(?:jsonl|taking)$/.test(name)) continue;
    const { size, mtimeMs } = statSync(join(folder, name), { throwIfNoEntry: false }) ?? { size: 0, mtimeMs: 0 };
    if (size === 0) continue;
    state.waiting += countLines(join(folder, name));
    state.waitingBytes += size;
    const at = firstTime(join(folder, name)) ?? mtimeMs;
    state.oldestAt = Math.min(state.oldestAt ?? at, at);
  }
  for (const name of listNames(join(folder, 'refused'))) state.refused += countLines(join(folder, 'refused', name));
  state.dropped = statSync(join(folder, DROPPED_FILE), { throwIfNoEntry: false })?.size ?? 0;
  return state;
}

function firstTime(path: string): number | null {
  const line = readFileSync(path, 'utf8')
    .split('\n')
    .find((one) => one !== '');
  const said = line === undefined ? null : parseJson(line);
  return isObject(said) && typeof said.at === 'number' ? said.at : null;
}

function countLines(path: string): number {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '').length;
}

import { closeSync, openSync, readFileSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { Instant } from '../../model/ids.ts';

/**
 * What was acknowledged last, kept in a file beside the database (`-last`). Each transaction has a number that the database counts; the file is written
 * after the disk has the transaction and before anybody is told. So the database is never behind the file, unless its log was taken away or damaged
 * after a process was killed. The file is not forced to the disk: after a loss of power it may be behind, which says nothing.
 */
export interface WriteMark {
  /** Which database; one that was made anew in the same place is another. */
  replica: string;
  /** How many transactions it had seen. */
  writes: number;
  at: Instant;
  /** The log that held the last of them, by the salts in its header. */
  log: string | null;
}

/** Acknowledged writes that the database does not have. */
export interface Loss {
  replica: string;
  /** At least so many transactions. */
  count: number;
  /** Made after the first time and by the second. */
  after: Instant;
  until: Instant;
  /** Where the damaged log was put; null where there was none. */
  keptLog: string | null;
}

const SLOT_BYTES = 512;
/** The first is for what was lost, the others for processes, each in a place by its number, so that nobody overwrites what a faster one has noted. */
const SLOTS = 32;
const LOG_HEADER_BYTES = 32;
const SALTS = { at: 16, bytes: 8 };
/** A log begins anew every thousand pages or so; of commits that follow each other fast, the last is worth the look. */
const LOOK_AT_LOG_MS = 100;

export interface WriteMarks {
  /** Keeps this one for this process. */
  note(mark: Omit<WriteMark, 'log'>): void;
  /** After the connection was closed. Where nobody else uses the database it has everything, and nothing need be known beside it. */
  close(): void;
}

export function createWriteMarks(path: string): WriteMarks {
  const slot = 1 + (process.pid % (SLOTS - 1));
  let file: number | null = null;
  let log: { salts: string | null; readAt: number } | null = null;
  let later: NodeJS.Timeout | null = null;
  let last: Omit<WriteMark, 'log'> | null = null;

  function write(mark: Omit<WriteMark, 'log'>): void {
    try {
      file ??= openFile(lastPath(path));
      writeSlot(file, slot, { ...mark, log: log?.salts ?? null });
    } catch {
      // A folder that may not be written to, a full disk: the write is safe all the same, and only this watch over it ends.
    }
  }
  function look(): void {
    log = { salts: readLogSalts(path), readAt: performance.now() };
  }
  function stopWaiting(): void {
    if (later !== null) clearTimeout(later);
    later = null;
  }

  return {
    note(mark) {
      last = mark;
      if (log === null || performance.now() - log.readAt > LOOK_AT_LOG_MS) look();
      else
        later ??= setTimeout(() => {
          later = null;
          look();
          if (last !== null) write(last);
        }, LOOK_AT_LOG_MS).unref();
      write(mark);
    },
    close() {
      stopWaiting();
      if (file !== null) closeSync(file);
      file = null;
      // The last who leaves moves the log into the database and removes it; an empty one is somebody's.
      const isLast = statSync(`${path}-wal`, { throwIfNoEntry: false }) === undefined;
      if (isLast && readLost(path) === null) forgetMarks(path);
    },
  };
}

/** Those of all processes since everything was last closed in good order. */
export function readMarks(path: string): WriteMark[] {
  return readSlots(path)
    .slice(1)
    .filter((mark) => mark !== null) as WriteMark[];
}

export function readLost(path: string): Loss | null {
  return readSlots(path)[0] as Loss | null;
}

/** What was lost is told until somebody accepts it; the marks have served. */
export function keepLost(path: string, lost: Loss): void {
  rmSync(lastPath(path), { force: true });
  const file = openFile(lastPath(path));
  writeSlot(file, 0, lost);
  closeSync(file);
}

export function forgetMarks(path: string): void {
  rmSync(lastPath(path), { force: true });
}

export function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > LOG_HEADER_BYTES;
}

/** Null where there is no log, or none that has begun. */
export function readLogSalts(path: string): string | null {
  if (!hasLog(path)) return null;
  try {
    const file = openSync(`${path}-wal`, 'r');
    try {
      const bytes = Buffer.alloc(SALTS.bytes);
      readSync(file, bytes, 0, SALTS.bytes, SALTS.at);
      return bytes.toString('hex');
    } finally {
      closeSync(file);
    }
  } catch {
    return null; // it went while it was looked at
  }
}

function lastPath(path: string): string {
  return `${path}-last`;
}

/** Opened without cutting it: others write to it too. */
function openFile(place: string): number {
  try {
    return openSync(place, 'wx+', 0o600);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    return openSync(place, 'r+');
  }
}

function writeSlot(file: number, slot: number, value: WriteMark | Loss): void {
  const json = toAscii(JSON.stringify(value));
  const text = `${crc32(json).toString(16).padStart(8, '0')} ${json}`;
  if (text.length < SLOT_BYTES) writeSync(file, `${text.padEnd(SLOT_BYTES - 1)}\n`, slot * SLOT_BYTES);
}

/** A slot is read by its bytes, and the name of a folder may hold any character. */
function toAscii(json: string): string {
  return json.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Null where nothing stands, or something that is damaged. */
function readSlots(path: string): unknown[] {
  const text = readWhole(lastPath(path));
  return Array.from({ length: SLOTS }, (_, slot) => {
    const [, sum, json] =
      /^([0-9a-f]{8}) (\{.*\})\s*$/.exec(text.slice(slot * SLOT_BYTES, (slot + 1) * SLOT_BYTES)) ?? [];
    return sum !== undefined && json !== undefined && crc32(json) === Number.parseInt(sum, 16)
      ? JSON.parse(json)
      : null;
  });
}

function readWhole(place: string): string {
  if (statSync(place, { throwIfNoEntry: false }) === undefined) return '';
  try {
    return readFileSync(place, 'latin1');
  } catch {
    return ''; // of another user's: then nobody watches
  }
}

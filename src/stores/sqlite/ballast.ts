import { randomBytes } from 'node:crypto';
import { closeSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Room on the disk that is held back, so that what makes room or takes something away still works when there is none left: even a deletion has to be
 * written to the log before anything becomes free.
 */
export interface Ballast {
  /** Whether it is time to look after it. */
  isDue(): boolean;
  /** Makes it where it is missing or has become small for the database, and there is plenty of room. */
  keep(): void;
  /** Gives its room to whoever writes next; false where there is none. */
  release(): boolean;
  /** Takes back as much of it as there is. */
  takeBack(): void;
}

export const NO_BALLAST: Ballast = { isDue: () => false, keep() {}, release: () => false, takeBack() {} };

const MIB = 1024 * 1024;
/** The log is moved into the database at 4 MiB: as much again is room for a batch of purges. A small database writes little. */
const LEAST_BYTES = MIB;
const MOST_BYTES = 8 * MIB;
/** Less is of no use to anybody. */
const WORTH_BYTES = 256 * 1024;
/** What processes share beside the database has to fit too. */
const LEFT_FREE_BYTES = 128 * 1024;
/** Whoever begins on a disk that is nearly full is not the one to fill it. */
const SHARE_OF_FREE = 4;
const LOOK_EVERY_MS = 60_000;
/** What so many transactions write is little beside it; asking the disk for sizes takes longer than most statements. */
const LOOK_EVERY_WRITES = 16;
const PIECE_BYTES = MIB;

export function createBallast(path: string): Ballast {
  const place = `${path}-ballast`;
  let held = 0;
  let isShort = false;
  let nextLook = 0;
  let writes = 0;
  const wanted = () => Math.min(MOST_BYTES, Math.max(LEAST_BYTES, 2 * (sizeOf(path) + sizeOf(`${path}-wal`))));
  const isEnough = () => held >= MOST_BYTES || held * 2 > wanted();
  return {
    isDue() {
      if (performance.now() >= nextLook) return true;
      return writes++ % LOOK_EVERY_WRITES === 0 && !(isShort || isEnough());
    },
    keep() {
      nextLook = performance.now() + LOOK_EVERY_MS;
      held = sizeOf(place);
      if (isEnough()) return;
      const fitting = Math.min(wanted(), Math.floor((freeBytes(path) + held) / SHARE_OF_FREE));
      if (fitting >= WORTH_BYTES && fitting > held) held = makeFile(place, fitting);
      isShort = !isEnough();
    },
    release() {
      if (sizeOf(place) === 0) return false;
      try {
        rmSync(place);
        return true;
      } catch {
        return false; // then the write stays refused, as it would without
      }
    },
    takeBack() {
      const fitting = Math.min(wanted(), freeBytes(path) - LEFT_FREE_BYTES);
      held = fitting > 0 ? makeFile(place, fitting) : 0;
      isShort = !isEnough();
    },
  };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize;
  } catch {
    return 0; // where nobody can say how much there is, nothing is held back
  }
}

/** Of random bytes: file systems that compress, or leave out zeros, would hold nothing back. Returns its size: what fits is kept, where the disk has less room than it said. */
function makeFile(place: string, bytes: number): number {
  let made = 0;
  try {
    const file = openSync(place, 'w', 0o600);
    try {
      while (made < bytes) made += writeSync(file, randomBytes(Math.min(bytes - made, PIECE_BYTES)));
    } finally {
      closeSync(file);
    }
  } catch {
    // A folder that may not be written to, or a disk that is full after all: the database works without it.
  }
  return made;
}

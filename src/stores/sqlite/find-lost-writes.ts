import { copyFileSync, readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { Log } from '../../engine/ports.ts';
import { EngineError } from '../../model/errors.ts';
import type { Instant } from '../../model/ids.ts';
import { toIsoSeconds } from '../../model/instant.ts';
import type { Connection } from './connection.ts';
import { isMalformed, isNotDatabase } from './translate-error.ts';
import {
  forgetMarks,
  hasLog,
  keepLost,
  type Loss,
  readLogSalts,
  readLost,
  readMarks,
  type WriteMark,
} from './write-marks.ts';

/**
 * Before the file is opened: a log that is another database's would be read as if it were this one's, and mixed into it for good. A log that a process of
 * ours has noted is its own; of any other the database has to make sense together with it.
 */
export function refuseForeignLog(path: string): void {
  const marks = readMarks(path);
  if (marks.length === 0 || !hasLog(path)) return;
  const salts = readLogSalts(path);
  if (marks.some(({ log }) => log === salts)) return;
  const alone = look(path, { withLog: false });
  const together = look(path, { withLog: true });
  // Somebody is at work on it, and then it is theirs; or opening it will say what is wrong.
  if (together === null || alone === null) return;
  const isKnown = marks.some(({ replica }) => replica === together.replica);
  if (together.isSound && isKnown && (alone.replica === null || alone.replica === together.replica)) return;
  throw new EngineError(
    'storage_damaged',
    `The write-ahead log ${path}-wal is not that of this database, or is damaged.`,
    {
      hint: 'Put its own log back, or move this one away. Nothing was changed.',
    },
  );
}

/** Without changing anything: whoever may only read moves no log into the database. Null where it cannot be read just now, or not by this user. */
function look(path: string, { withLog }: { withLog: boolean }): { replica: string | null; isSound: boolean } | null {
  const url = pathToFileURL(path);
  if (!withLog) url.searchParams.set('immutable', '1');
  const database = new DatabaseSync(url, { readOnly: true });
  try {
    const row = database.prepare('SELECT id FROM replica').get();
    const isSound = !withLog || database.prepare('PRAGMA quick_check(1)').get()?.quick_check === 'ok';
    return { replica: row === undefined ? null : String(row.id), isSound };
  } catch (error) {
    const isThere = !(error instanceof Error && /no such/.test(error.message));
    return isThere && !isMalformed(error) && !isNotDatabase(error) ? null : { replica: null, isSound: false };
  } finally {
    database.close();
  }
}

/** So many logs are put aside beside a database, and no more. */
const MAX_KEPT_LOGS = 3;

/** How things stood before this process wrote anything. */
export interface Found {
  marks: WriteMark[];
  /** What the database has. */
  has: { replica: string; writes: number; at: Instant };
}

export function readFound(connection: Connection): Found {
  // The marks first: what others note meanwhile they have written before.
  const marks = readMarks(connection.path);
  const row = connection.statement('SELECT id, writes, written_at FROM replica').get();
  const has = { replica: String(row?.id), writes: Number(row?.writes ?? 0), at: Number(row?.written_at ?? 0) };
  return { marks, has };
}

interface Opened {
  path: string;
  /** Who it is now. */
  replica: string;
  /** False: there was no file, or an empty one. Then marks are those of another that was there before. */
  wasThere: boolean;
}

/** What was acknowledged and is not there. Told each time until a repair accepts it. */
export function findLostWrites({ path, replica, wasThere }: Opened, { marks, has }: Found, log: Log): Loss | null {
  // Tables that were made a moment ago in a file that was there: all that it had was in its log.
  const isEmptied = wasThere && has.writes === 0;
  const own = marks.filter((mark) => isEmptied || mark.replica === has.replica);
  const last = own.reduce<WriteMark | null>((most, mark) => (mark.writes > (most?.writes ?? 0) ? mark : most), null);
  if (last !== null && last.writes > has.writes) {
    const times = { after: has.at, until: last.at };
    const lost = { replica, count: last.writes - has.writes, ...times, keptLog: keepLog(path) };
    tryTo(() => keepLost(path, lost));
    tell(log, lost);
    return lost;
  }
  if (marks.length > 0 && own.length === 0) tryTo(() => forgetMarks(path));
  const known = readLost(path);
  if (known === null || known.replica !== replica) return null;
  tell(log, known);
  return known;
}

function tell(log: Log, lost: Loss): void {
  const { keptLog } = lost;
  log.error('writes_lost', { message: describeLostWrites(lost), ...(keptLog !== null && { kept_log: keptLog }) });
}

/** What is left of a damaged log may be all that is left of the writes: opening the database goes on without it. */
function keepLog(path: string): string | null {
  if (!hasLog(path)) return null;
  const kept = readdirSync(dirname(path)).filter((name) => name.startsWith(`${basename(path)}-wal.damaged`));
  const place = `${path}-wal.damaged-${kept.length + 1}`;
  return kept.length < MAX_KEPT_LOGS && tryTo(() => copyFileSync(`${path}-wal`, place)) ? place : null;
}

/** Where the folder may only be read, the word is given all the same. */
function tryTo(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

const WAY_OUT = 'Restore a backup that has them, or accept it with `ltm doctor --repair`.';

export function describeLostWrites(lost: Loss): string {
  return `${nameLostWrites(lost)} ${WAY_OUT}`;
}

export function nameLostWrites({ count, after, until }: Loss): string {
  const made = after === 0 ? `by ${toIsoSeconds(until)}` : `between ${toIsoSeconds(after)} and ${toIsoSeconds(until)}`;
  const what = count === 1 ? 'One acknowledged write is' : `${count} acknowledged writes are`;
  return `${what} missing from the database, made ${made}: its write-ahead log was removed, replaced or damaged, or an older copy was put in its place.`;
}

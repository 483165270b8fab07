import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { JsonObject } from '../../model/json.ts';
import { isObject, parseJson } from '../../model/json-text.ts';
import { sha256Of } from '../../model/sha256.ts';
import { isDatabaseUrl, showLocation } from '../../model/show-location.ts';
import type { Config } from '../../settings/config.ts';

/** A backup a day, as `ltm backup schedule` or the installation of a server has arranged it with the machine. */
export interface BackupSchedule {
  /** The scheduler that does it. */
  manager: string;
  folder: string;
  keepDays: number | null;
  hour: number;
  minute: number;
}

interface Note extends BackupSchedule {
  files: readonly string[];
  /** Of what the scheduler was told: where it reads something else by now, this is not what it does. */
  sha256: string;
}

export const BACKUP_JOB = 'ltm-backup';

/** What the scheduler was told, as `Schedule` of the set-up has it. */
interface Plan {
  manager: string;
  files: readonly { path: string; content: string }[];
  editTable: ((table: string, isWanted: boolean) => string) | null;
}

type Place = Pick<Config, 'db' | 'configFile'>;

/** Beside the database, or beside the configuration where the database is on a server. */
function notePath({ db, configFile }: Place): string {
  return join(dirname(isDatabaseUrl(db) ? configFile : db), 'backup-schedule.json');
}

function readNotes(place: Place): JsonObject {
  const path = notePath(place);
  const notes = existsSync(path) ? parseJson(readFileSync(path, 'utf8')) : null;
  return isObject(notes) ? (notes as JsonObject) : {};
}

/** What was arranged, for whoever asks later; null: no more. */
export function noteSchedule(place: Place, schedule: (Omit<BackupSchedule, 'manager'> & { plan: Plan }) | null): void {
  const note = schedule === null ? null : toNote(schedule);
  const { [showLocation(place.db)]: _, ...others } = readNotes(place);
  const path = notePath(place);
  mkdirSync(dirname(path), { recursive: true });
  const notes = note === null ? others : { ...others, [showLocation(place.db)]: note };
  writeFileSync(`${path}.part`, `${JSON.stringify(notes, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.part`, path);
}

function toNote({ plan, ...schedule }: Parameters<typeof noteSchedule>[1] & object): Note {
  const { manager, files, editTable } = plan;
  const told = editTable === null ? files.map(({ content }) => content).join('\n') : editTable('', true).trim();
  return { ...schedule, manager, files: files.map(({ path }) => path), sha256: sha256Of(told) };
}

/** null: no backup is made by itself. What was arranged and taken away by hand since counts as that. */
export async function readSchedule(config: Config): Promise<BackupSchedule | null> {
  const note = readNote(readNotes(config)[showLocation(config.db)]);
  if (note !== null && (await isStillThere(note))) {
    const { files: _, sha256: __, ...schedule } = note;
    return schedule;
  }
  return readInstalled(config);
}

function readNote(value: unknown): Note | null {
  if (!isObject(value)) return null;
  const { manager, folder, keepDays, hour, minute, files, sha256 } = value;
  const isSound =
    typeof folder === 'string' && Number.isInteger(hour) && Number.isInteger(minute) && Array.isArray(files);
  if (!isSound || typeof manager !== 'string' || typeof sha256 !== 'string') return null;
  return {
    manager,
    folder,
    hour: Number(hour),
    minute: Number(minute),
    keepDays: typeof keepDays === 'number' ? keepDays : null,
    sha256,
    files: files.filter((file) => typeof file === 'string'),
  };
}

const run = promisify(execFile);
const TABLE_MS = 2000;

async function isStillThere({ manager, files, sha256 }: Note): Promise<boolean> {
  if (manager !== 'cron') {
    const isAll = files.every((file) => existsSync(file)) && isEnabled(manager, files);
    return isAll && sha256Of(files.map((file) => readFileSync(file, 'utf8')).join('\n')) === sha256;
  }
  const table = await run('crontab', ['-l'], { timeout: TABLE_MS, encoding: 'utf8' }).catch(() => ({ stdout: '' }));
  return table.stdout.split('\n').some((line) => sha256Of(line.trim()) === sha256);
}

/** systemd starts a timer that this folder names. */
function isEnabled(manager: string, files: readonly string[]): boolean {
  const timer = files.find((file) => file.endsWith('.timer'));
  if (manager !== 'systemd' || timer === undefined) return true;
  return existsSync(join(dirname(timer), 'timers.target.wants', `${BACKUP_JOB}.timer`));
}

const SYSTEM_TIMER = `/etc/systemd/system/${BACKUP_JOB}.timer`;

/** The timer of `deploy/install.sh`, on whose server the folder stands in the environment. */
function readInstalled({ origin, places, backupKeepDays: keepDays }: Config): BackupSchedule | null {
  if (origin.backupDir.name !== 'LTM_BACKUP_DIR' || !existsSync(SYSTEM_TIMER)) return null;
  if (!isEnabled('systemd', [SYSTEM_TIMER])) return null;
  const [, hour, minute] = /^OnCalendar=\*-\*-\* (\d{2}):(\d{2})/m.exec(readFileSync(SYSTEM_TIMER, 'utf8')) ?? [];
  if (hour === undefined) return null;
  return { manager: 'systemd', folder: places.backups, keepDays, hour: Number(hour), minute: Number(minute) };
}

/** By the clock of the machine, which is what schedulers go by. */
export function nextRun({ hour, minute }: Pick<BackupSchedule, 'hour' | 'minute'>, now: number): Date {
  const next = new Date(now);
  next.setHours(hour, minute, 0, 0);
  if (next.getTime() <= now) next.setDate(next.getDate() + 1);
  return next;
}

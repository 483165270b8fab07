import type { Config } from '../../settings/config.ts';
import { type Backup, listBackups } from './backup-folder.ts';
import { nextRun, readSchedule } from './backup-schedule.ts';

/** What is known of the backups of a database: those that are there, and whether more follow by themselves. */
export interface BackupStatus {
  enabled: boolean;
  interval: 'daily' | null;
  /** The scheduler that does it. */
  scheduler: string | null;
  /** Days after which a new backup removes older ones; null: it removes none. */
  retentionDays: number | null;
  nextAt: string | null;
  folder: string;
  /** Newest first. */
  backups: Backup[];
}

/** Backups go to the folder of the schedule; those that were made in between lie in the usual one. */
export async function readBackupStatus(config: Config, now: number): Promise<BackupStatus> {
  const schedule = await readSchedule(config);
  const folders = [...new Set([schedule?.folder ?? config.places.backups, config.places.backups])];
  const backups = folders.flatMap(listBackups).toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
  return {
    enabled: schedule !== null,
    interval: schedule === null ? null : 'daily',
    scheduler: schedule?.manager ?? null,
    retentionDays: schedule === null ? config.backupKeepDays : schedule.keepDays,
    nextAt: schedule === null ? null : nextRun(schedule, now).toISOString(),
    folder: folders[0]!,
    backups,
  };
}

import { isOperator } from '../../../engine/authorize.ts';
import { EngineError } from '../../../model/errors.ts';
import { toSeconds } from '../service-memory.ts';
import { defineRoute, type ServiceCall, type ServiceRoute } from './service-route.ts';

/** A copy of the whole database, as it is listed. */
export interface ListedBackup {
  filename: string;
  size_bytes: number;
  created_at: string;
}

/** Whether copies are made by themselves, as the machine of the server has it. */
export interface BackupArrangement {
  enabled: boolean;
  /** null: none is made by itself. */
  interval: string | null;
  /** null: none is removed. */
  retentionDays: number | null;
  nextAt: string | null;
  folder: string;
  /** Newest first. */
  backups: readonly ListedBackup[];
}

/** What the machine of the server can do about copies. */
export interface BackupPorts {
  readStatus(): Promise<BackupArrangement>;
  create(): Promise<ListedBackup>;
}

/** A copy holds everybody's memories. */
function portsOf({ caller, ports }: ServiceCall): BackupPorts {
  if (!isOperator(caller)) throw new EngineError('forbidden', 'Only the owner of the server may back it up.');
  return ports.backups;
}

const DAY = 86_400_000;

function ageOf({ created_at: at }: ListedBackup, now: number): number {
  return Math.max(0, Math.floor((now - Date.parse(at)) / DAY));
}

function sizeOf(backups: readonly ListedBackup[]): number {
  return backups.reduce((sum, { size_bytes: size }) => sum + size, 0);
}

export const BACKUP_ROUTES: readonly ServiceRoute[] = [
  defineRoute({
    at: 'GET /backup/status',
    needs: 'read',
    async handle(call) {
      const { enabled, interval, retentionDays, nextAt, folder, backups } = await portsOf(call).readStatus();
      const last = backups[0]?.created_at ?? null;
      const lastAt = last === null ? null : Date.parse(last);
      return {
        enabled,
        interval,
        retention_days: retentionDays,
        max_count: null,
        scheduler_running: enabled,
        backup_count: backups.length,
        total_size_bytes: sizeOf(backups),
        next_backup_at: nextAt,
        last_backup_time: lastAt === null ? null : toSeconds(lastAt),
        time_since_last_seconds: lastAt === null ? null : Math.max(0, call.now - lastAt) / 1000,
        backup_directory: folder,
        total_backups: backups.length,
        last_backup: last,
        next_backup: nextAt,
        message: `${enabled ? 'The scheduler of this machine makes one a day' : 'None is made by itself: `ltm backup schedule` changes that'}. \`ltm backup restore\` is the way back.`,
      };
    },
  }),
  defineRoute({
    at: 'GET /backup/list',
    needs: 'read',
    async handle(call) {
      const { backups } = await portsOf(call).readStatus();
      const aged = backups.map((one) => ({ ...one, age_days: ageOf(one, call.now) }));
      return { backups: aged, total_count: aged.length, total_size_bytes: sizeOf(aged) };
    },
  }),
  defineRoute({
    at: 'POST /backup/now',
    needs: 'admin',
    async handle(call) {
      const startedAt = performance.now();
      const made = await portsOf(call).create();
      const seconds = Math.round(performance.now() - startedAt) / 1000;
      return { success: true, message: 'Backup created', ...made, duration_seconds: seconds };
    },
  }),
];

import { isOperator } from '../../../engine/authorize.ts';
import { EngineError } from '../../../model/errors.ts';
import { defineRoute, problem, type ServiceCall, type ServiceRoute } from './service-route.ts';

/** A copy of the whole database, as it is listed. */
export interface ListedBackup {
  filename: string;
  size_bytes: number;
  created_at: string;
}

/** What the machine of the server can do about copies; null: nobody knows how here. */
export interface BackupPorts {
  folder: string;
  list(): ListedBackup[];
  create(): Promise<ListedBackup>;
}

/** A copy holds everybody's memories. */
function portsOf({ caller, ports }: ServiceCall): BackupPorts {
  if (!isOperator(caller)) throw new EngineError('forbidden', 'Only the owner of the server may back it up.');
  if (ports.backups === null) throw problem(404, 'This database is backed up by its own means.');
  return ports.backups;
}

export const BACKUP_ROUTES: readonly ServiceRoute[] = [
  defineRoute({
    at: 'GET /backup/status',
    needs: 'read',
    async handle(call) {
      const { folder, list } = portsOf(call);
      const [newest] = list();
      return {
        ...{ enabled: true, backup_directory: folder, total_backups: list().length },
        last_backup: newest?.created_at ?? null,
        next_backup: null,
        message: '`ltm backup schedule` does it once a day, `ltm backup restore` is the way back.',
      };
    },
  }),
  defineRoute({
    at: 'GET /backup/list',
    needs: 'read',
    async handle(call) {
      const backups = portsOf(call).list();
      const total = backups.reduce((sum, { size_bytes: size }) => sum + size, 0);
      return { backups, total_count: backups.length, total_size_bytes: total };
    },
  }),
  defineRoute({
    at: 'POST /backup/now',
    needs: 'admin',
    async handle(call) {
      const made = await portsOf(call).create();
      return { success: true, message: 'Backup created', ...made };
    },
  }),
];

import { basename } from 'node:path';
import type { BackupPorts, ListedBackup } from '../compat/service/routes/backup-routes.ts';
import { createServiceApp, type ServiceAppPorts } from '../compat/service/routes/create-service-app.ts';
import { createEventTickets } from '../compat/service/routes/event-tickets.ts';
import { ROOT_ROUTES } from '../compat/service/routes/root-routes.ts';
import type { Backup } from './backups/backup-folder.ts';
import { readBackupStatus } from './backups/backup-status.ts';
import type { ServerEnv } from './check-token.ts';
import type { ExtensionPorts, ServerExtension } from './compose-http.ts';
import { type Config, describeConfig, engineSettings, serviceSettings } from './config.ts';
import { setConfigValue } from './config-file.ts';
import { systemClock } from './system-clock.ts';

const SERVICE_API_PATH = '/api';

/** The REST routes of mcp-memory-service. */
export function serviceExtension(shared: ExtensionPorts): ServerExtension {
  const { config, engine, tokenCheck, rest, peers } = shared;
  const { now } = systemClock;
  const tickets = createEventTickets(now, (fact) => peers?.tell('ticket', fact));
  peers?.hear('ticket', tickets.note);
  const ports: ServiceAppPorts = {
    engine,
    rest,
    now,
    authenticate: tokenCheck.authenticate,
    limit: tokenCheck.limit,
    resourceMetadataUrl: tokenCheck.resourceMetadataUrl,
    maxBodyBytes: config.maxBodyBytes,
    timeZone: engineSettings(config).timeZone,
    settings: serviceSettings(config),
    startedAt: now(),
    tickets,
    listSettings: () => describeConfig(config),
    saveSetting: (name, value) => setConfigValue(config.configFile, name, value),
    listTools: () => shared.tools.list(['service']).tools,
    backups: backupsOf(config),
  };
  const { addressOf } = tokenCheck;
  return {
    mounts: [
      { path: SERVICE_API_PATH, app: createServiceApp<ServerEnv>(ports, addressOf) },
      { path: '/', app: createServiceApp<ServerEnv>(ports, addressOf, ROOT_ROUTES) },
    ],
  };
}

/** Those that `ltm backup` makes. */
function backupsOf(config: Config): BackupPorts {
  const folder = config.backups;
  const describe = ({ path, bytes, createdAt }: Backup): ListedBackup => ({
    filename: basename(path),
    size_bytes: bytes,
    created_at: createdAt,
  });
  return {
    async readStatus() {
      const { backups, ...status } = await readBackupStatus(config, systemClock.now());
      return { ...status, backups: backups.map(describe) };
    },
    async create() {
      const { createBackup } = await import('./backups/create-backup.ts');
      return describe((await createBackup(config, { folder, keepDays: config.backupKeepDays })).backup);
    },
  };
}

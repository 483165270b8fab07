import { basename } from 'node:path';
import type { Backup } from '../../features/backups/backup-folder.ts';
import { readBackupStatus } from '../../features/backups/backup-status.ts';
import type { HttpHost, HttpPart } from '../../features/host.ts';
import { lateFunctions } from '../../model/late.ts';
import type { ServerEnv } from '../../rest/check-token.ts';
import { type Config, describeConfig, engineSettings } from '../../settings/config.ts';
import { setConfigValue } from '../../settings/config-file.ts';
import { systemClock } from '../../settings/system-clock.ts';
import type { Machine } from '../../verbs/machine.ts';
import type { BackupPorts, ListedBackup } from './routes/backup-routes.ts';
import { createServiceApp, type ServiceAppPorts } from './routes/create-service-app.ts';
import { createEventTickets } from './routes/event-tickets.ts';
import { ROOT_ROUTES } from './routes/root-routes.ts';
import { serviceSettings } from './service-settings.ts';

const { createBackup } = lateFunctions(() => import('../../features/backups/create-backup.ts'), 'createBackup');

const SERVICE_API_PATH = '/api';

/** The REST routes of mcp-memory-service. */
export function serviceExtension(shared: HttpHost): HttpPart {
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
    saveSetting: (name, value) => setConfigValue(config, name, value),
    listTools: () => shared.tools.list(['service']).tools,
    backups: backupsOf(config, shared.machine),
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
function backupsOf(config: Config, machine: Machine): BackupPorts {
  const folder = config.places.backups;
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
      return describe((await createBackup(machine, config, { folder, keepDays: config.backupKeepDays })).backup);
    },
  };
}

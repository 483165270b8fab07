import { dirname, join } from 'node:path';
import { isDatabaseUrl } from '../../model/show-location.ts';
import { after, optional, type ValuesOf } from '../../settings/define-setting.ts';
import { integer, path } from '../../settings/setting-kinds.ts';
import type { Environment, SettingPart, SettingValues } from '../../settings/settings.ts';
import { dataFolder } from '../../settings/user-folders.ts';

const table = after('logFile', {
  backupDir: optional(path, ['MCP_MEMORY_BACKUPS_PATH']).about(
    'Folder of the backups that `ltm backup` makes. By default `backups` beside the database.',
  ),
  backupKeepDays: optional(integer(1, 36_500)).about(
    'Days after which `ltm backup create` removes its older backups. By default it removes none.',
  ),
});

declare module '../../engine/engine-settings.ts' {
  interface FeatureSettings extends ValuesOf<typeof table> {}
}

declare module '../../settings/config.ts' {
  interface Places {
    /** The folder of the backups. */
    backups: string;
  }
}

function backups({ db, backupDir }: SettingValues, env: Environment): string {
  return backupDir ?? join(isDatabaseUrl(db) ? dataFolder(env) : dirname(db), 'backups');
}

export const settings: SettingPart = { table, places: { backups } };

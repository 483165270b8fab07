import { basename, dirname, join, resolve } from 'node:path';
import { dataFolder } from '../settings/user-folders.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Beside the database that will take it in, so that another one, opened by the way, does not. `LTM_SPOOL` moves it. */
export function spoolFolder(db: string, env: Environment): string {
  if (env.LTM_SPOOL) return resolve(env.LTM_SPOOL);
  if (/^[a-z][a-z0-9+]+:\/\//i.test(db)) return join(dataFolder(env), 'spool');
  return basename(db) === 'memory.db' ? join(dirname(db), 'spool') : `${db}.spool`;
}

import { existsSync } from 'node:fs';
import { EngineError } from '../model/errors.ts';
import { isDatabaseUrl } from '../model/show-location.ts';
import { type ConfigSources, loadConfigOnce } from '../settings/config.ts';
import { UsageError } from './report-error.ts';

/**
 * Where a command acts. What stands nearest decides: the flags, then the environment, then the sign-in that the config
 * file keeps. Naming a database means that one, whatever server the person uses otherwise.
 */
export function chooseServer(sources: ConfigSources, isLocal: boolean): string | null {
  const config = loadConfigOnce(sources);
  const { server, db } = config.origin;
  if (server.source === 'flag' && (isLocal || db.source === 'flag'))
    throw new UsageError('--server cannot be combined with --db or --local.', 'Give one of them.');
  if (isLocal || db.source === 'flag') return null;
  return server.source !== 'flag' && db.source === 'environment' ? null : config.server;
}

/** For commands that need the machine itself. */
export function refuseServer(name: string, sources: ConfigSources): void {
  const { server, origin } = loadConfigOnce(sources);
  if (server === null || (origin.server.source !== 'flag' && origin.server.source !== 'environment')) return;
  throw new UsageError(
    `\`ltm ${name}\` needs the database itself and cannot run on ${server}.`,
    `Run it on that machine, or without ${origin.server.name}.`,
  );
}

/** For commands that only read: a mistyped --db is no wish for an empty database. In the usual place nothing may be stored yet. */
export function refuseMissing(sources: ConfigSources): void {
  const { db, origin } = loadConfigOnce(sources);
  if (origin.db.source !== 'flag' || isDatabaseUrl(db) || db === ':memory:' || db.startsWith('file:') || existsSync(db))
    return;
  throw new EngineError('not_found', `There is no database ${db}.`, {
    hint: 'Look at the path; `ltm store` creates a new one.',
  });
}

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkApiKey } from '../auth/api-key.ts';
import { ensureOwnerToken, readOwnerToken } from '../auth/owner-token.ts';
import type { IdentityChanges, Tokens, Users } from '../auth/ports.ts';
import { isActive } from '../auth/tokens.ts';
import { checkTokensFile } from '../auth/tokens-file.ts';
import type { Log } from '../engine/ports.ts';
import type { Feature } from '../features/feature.ts';
import { EngineError } from '../model/errors.ts';
import { isDatabaseUrl } from '../model/show-location.ts';
import type { Config } from '../settings/config.ts';
import { createLog } from '../settings/log.ts';
import { systemClock } from '../settings/system-clock.ts';
import { declaredBy } from './declared.ts';
import { isLoopback } from './host-guard.ts';
import { checkTlsFiles } from './tls-server.ts';

export interface AccessOptions {
  /** Makes the first token even where the server can be reached from other machines. */
  createToken?: boolean;
  /** Starts only where somebody could get in, and makes no token of its own. */
  onlyWithTokens?: boolean;
}

/** `value` only when this start has made it: it is shown once. `file` null: it was made elsewhere, or on purpose. */
export interface FirstToken {
  value: string | null;
  file: string | null;
}

/** What can be told of a start before anything is opened. Whether the settings name tokens beside those in the database. */
export async function checkStart(
  config: Config,
  log: Log,
  { features, ...options }: AccessOptions & { features: readonly Feature[] },
): Promise<boolean> {
  for (const warning of config.warnings) log.warn('config', { message: warning });
  if (config.tokensFile !== null) checkTokensFile(config.tokensFile);
  const isLocal = isLoopback(config.host);
  if (config.apiKey !== null) {
    checkApiKey(config.apiKey, { isLocal });
    log.info('api_key', { from: config.origin.apiKey.name, message: 'This key has every right of the owner.' });
  }
  let namesTokens = config.tokensFile !== null || config.apiKey !== null;
  for (const { tokens } of declaredBy(features))
    if ((await tokens?.())?.check(config, { isLocal, log })) namesTokens = true;
  if (config.anonymousAccess) checkAnonymous(config, log);
  if (config.tlsCert !== null && config.tlsKey !== null) checkTlsFiles({ cert: config.tlsCert, key: config.tlsKey });
  if (options.onlyWithTokens === true && !namesTokens) demandDatabase(config);
  return namesTokens;
}

/** A proxy on this machine would make everybody look near. */
function checkAnonymous(config: Config, log: Log): void {
  const refuse = (problem: string): never => {
    throw new EngineError('forbidden', `anonymous_access is on, but ${problem}.`, {
      hint: 'Without tokens the server may only be used from this machine: take anonymous_access back, or listen on 127.0.0.1.',
      details: { key: 'anonymous_access' },
    });
  };
  if (!isLoopback(config.host)) refuse(`${config.host} can be reached from other machines`);
  if (config.externalUrl !== null) refuse('external_url says that the server is reached from elsewhere');
  if (config.trustedProxies.length > 0) refuse('trusted_proxies says that there is a proxy before it');
  log.warn('anonymous_access', {
    from: config.origin.anonymousAccess.name,
    message: 'Every program on this machine may read and write the memories of the owner without a token.',
  });
}

/** Refuses where nobody, or anybody, could get in; makes the owner's token where it is missing. */
export async function prepareAccess(
  config: Config,
  identity: IdentityChanges & Users & Tokens,
  { log, ...options }: AccessOptions & { log: Log; namesTokens: boolean },
): Promise<FirstToken> {
  if (options.onlyWithTokens === true && !options.namesTokens && !(await hasTokens(identity)))
    throw noTokens(config.db);
  await checkBind(config, identity, log, options);
  const file = ownerTokenFile(config);
  const isMade =
    options.onlyWithTokens === true || (options.createToken !== true && (await isTokenElsewhere(config, identity)));
  if (isMade) return { value: null, file: null };
  const { created } = await ensureOwnerToken(file, { identity, clock: systemClock, log });
  return { value: created, file };
}

/** Beside the database, or beside the configuration where the database is on a server; for the CLI and for programs of the same person. */
function ownerTokenFile({ db, configFile }: Pick<Config, 'db' | 'configFile'>): string {
  return join(dirname(isDatabaseUrl(db) ? configFile : db), 'owner-token');
}

/** Nodes on several machines share a database on a server, each with a folder of its own: the next one must not take the first one's token away. */
async function isTokenElsewhere(config: Config, identity: Tokens): Promise<boolean> {
  return isDatabaseUrl(config.db) && !existsSync(ownerTokenFile(config)) && (await hasTokens(identity));
}

async function hasTokens(identity: Tokens): Promise<boolean> {
  const now = systemClock.now();
  return (await identity.listTokens()).some((token) => isActive(token, now));
}

/** Before anything is opened: a server that refuses to start leaves no database behind. */
function demandDatabase({ db }: Config): void {
  if (!isDatabaseUrl(db) && !existsSync(db)) throw noTokens(db);
}

function noTokens(db: string): EngineError {
  return new EngineError('forbidden', 'There is no token yet, so nobody could sign in.', {
    hint: `Create the database and the first token: \`ltm server init --db ${db.includes('://') ? 'URL' : db}\`.`,
  });
}

/** Other machines get in with tokens only, and those must have been made on purpose. */
async function checkBind(
  config: Config,
  identity: Tokens,
  log: Log,
  { namesTokens, createToken }: AccessOptions & { namesTokens: boolean },
): Promise<void> {
  if (isLoopback(config.host)) return;
  if (!(await hasTokens(identity)) && !namesTokens && createToken !== true) {
    throw new EngineError(
      'forbidden',
      `${config.host} can be reached from other machines, and there is no token yet.`,
      {
        hint: 'Start once with `ltm serve --create-token`, or once on 127.0.0.1, to create and print the first token.',
        details: { host: config.host },
      },
    );
  }
  if (config.tlsCert !== null) return;
  log.warn('plain_http', {
    host: config.host,
    message: 'Tokens and memories are sent unencrypted: use a private network, or TLS.',
  });
}

/** `value` is null before the first `ltm serve`. */
export function findOwnerToken(config: Config): { file: string; value: string | null } {
  const file = ownerTokenFile(config);
  return { file, value: readOwnerToken(file, createLog('warn')) };
}

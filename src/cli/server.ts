import { availableParallelism } from 'node:os';
import { findRunningServer } from '../client/running-server.ts';
import { FEATURES } from '../features/features.ts';
import { EngineError } from '../model/errors.ts';
import { lateFunctions } from '../model/late.ts';
import { showLocation } from '../model/show-location.ts';
import { boundMemory } from '../server/bound-memory.ts';
import { declaredBy } from '../server/declared.ts';
import type { AccessOptions, FirstToken } from '../server/prepare-access.ts';
import { runMcp } from '../server/run-mcp.ts';
import { startServices } from '../server/services.ts';
import type { RunningServer } from '../server/start-server.ts';
import { readPlace } from '../server/workers/peers.ts';
import { type Config, loadConfigOnce } from '../settings/config.ts';
import { batchWrites, createLog } from '../settings/log.ts';
import { openLogStream } from '../settings/log-file.ts';
import type { CommandContext } from './command.ts';
import { EXIT } from './report-error.ts';
import type { Terminal } from './terminal.ts';

const { runWorker } = lateFunctions(() => import('../server/workers/run-worker.ts'), 'runWorker');
const { startServer } = lateFunctions(() => import('../server/start-server.ts'), 'startServer');
const { startWorkers } = lateFunctions(() => import('../server/workers/start-workers.ts'), 'startWorkers');
const { isOwnServer } = lateFunctions(() => import('../client/own-server.ts'), 'isOwnServer');

const PARENT_CHECK_MS = 1000;

export async function serve(context: CommandContext): Promise<void> {
  return serveUntilStopped(context, { createToken: context.args.isOn('create-token') });
}

export async function mcp({ sources }: CommandContext): Promise<number> {
  return runMcp(sources);
}

/** Serves until a signal comes. */
export async function serveUntilStopped(
  { terminal, answer, sources, env }: CommandContext,
  options: AccessOptions,
): Promise<void> {
  const config = loadConfigOnce(sources);
  const stream = batchWrites(openLogStream(config));
  const place = readPlace(env);
  if (place !== null) {
    const log = createLog(config.logLevel, stream, { worker: place.slot + 1 });
    return runWorker(config, { log, place, end: waitForSignal() });
  }
  const log = createLog(config.logLevel, stream);
  await startServices(declaredBy(FEATURES), env, log);
  const started = await startOrFind(config, log, { ...options, env });
  boundMemory();
  const { url } = started;
  if (!('token' in started)) {
    answer({ url, isRunning: true }, `ltm is already running at ${url}.`);
    return;
  }
  const token = options.onlyWithTokens === true ? { value: null, file: null } : started.token;
  const end = Promise.race([waitForSignal(), ...(env.npm_lifecycle_event === undefined ? [] : [waitForOrphaning()])]);
  const database = showLocation(config.db);
  answer({ url, mcpUrl: `${url}/mcp`, database, token: token.value, tokenFile: token.file }, () =>
    showStart({ url, external: config.externalUrl, database, token }, terminal),
  );
  await end;
  await started.close();
}

/** Somebody who starts the server a second time wants it to run, and it does. */
async function startOrFind(...given: Parameters<typeof start>): Promise<RunningServer | { url: string }> {
  try {
    return await start(...given);
  } catch (error) {
    const found = error instanceof EngineError && error.code === 'busy' ? await findSameServer(given[0]) : null;
    if (found === null) throw error;
    return found;
  }
}

const HEALTH_MS = 1000;

/** The one that serves this database at this port; null where another program has the port, or the server does not answer. */
async function findSameServer({ places, port }: Config): Promise<{ url: string } | null> {
  const running = findRunningServer(places.spool);
  if (running === null || URL.parse(running.url)?.port !== String(port)) return null;
  return (await isOwnServer(running, HEALTH_MS)) ? { url: running.url } : null;
}

/** What answers is loaded only by the processes that do. */
async function start(
  config: Config,
  log: ReturnType<typeof createLog>,
  options: AccessOptions & Pick<CommandContext, 'env'>,
): Promise<RunningServer> {
  const count = config.workers === 'auto' ? availableParallelism() : config.workers;
  if (count === 1) return startServer(config, log, options);
  return startWorkers(config, log, { ...options, count });
}

/** The first one asks for an orderly end; a second one does not wait for it. */
function waitForSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) {
      process.once(name, () => {
        process.once(name, () => process.exit(EXIT.interrupted));
        resolve();
      });
    }
  });
}

/** npm passes a signal to its shell, which dies of it without passing it on: without this, a stopped `npm start` would leave the server behind. */
function waitForOrphaning(): Promise<void> {
  const parent = process.ppid;
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(timer);
      resolve();
    }, PARENT_CHECK_MS);
    timer.unref();
  });
}

interface Started {
  url: string;
  /** Where people reach it, through a proxy; null where they use `url`. */
  external: string | null;
  database: string;
  /** `file` null: the tokens that there are were made on purpose, and are not kept in a file. */
  token: FirstToken;
}

function showStart({ url: listens, external, database, token }: Started, { print, paint }: Terminal): void {
  const row = (name: string, value: string): void => print(`  ${paint('dim', name.padEnd(9))} ${value}`);
  const url = external ?? listens;
  print(
    `ltm is listening on ${paint('bold', listens)}${external === null ? '' : `, reached at ${paint('bold', external)}`}\n`,
  );
  row('MCP', `${url}/mcp`);
  row('REST', `${url}/api/v1`);
  row('database', database);
  if (token.file === null) row('tokens', '`ltm server issue-token NAME` makes one more');
  else
    row(
      'token',
      token.value === null
        ? `in ${token.file}`
        : `${paint('bold', token.value)}  (shown this once; kept in ${token.file})`,
    );
  print('\nConnect Claude Code:');
  print(
    `  claude mcp add -t http -s user ltm ${url}/mcp -H "Authorization: Bearer ${token.file === null ? '$TOKEN' : `$(cat '${token.file}')`}"`,
  );
  print('\nStop with Ctrl-C.');
}

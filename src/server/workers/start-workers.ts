import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Log } from '../../engine/ports.ts';
import { FEATURES } from '../../features/features.ts';
import { EngineError } from '../../model/errors.ts';
import { VERSION } from '../../model/version.ts';
import type { Config } from '../../settings/config.ts';
import type { Environment } from '../../settings/settings.ts';
import { systemClock } from '../../settings/system-clock.ts';
import { openStore } from '../../stores/open-store.ts';
import { declaredBy } from '../declared.ts';
import { listen, listenToo, nameOf } from '../listen.ts';
import { type AccessOptions, checkStart, type FirstToken, prepareAccess } from '../prepare-access.ts';
import { announce } from '../services.ts';
import { createCrew } from './crew.ts';
import { createHandOver } from './hand-over.ts';

export interface WorkersOptions extends AccessOptions {
  count: number;
  env: Environment;
}

export interface RunningWorkers {
  url: string;
  token: FirstToken;
  close(): Promise<void>;
}

/**
 * The same program again, `count` times, behind one port. This process holds the port and gives each connection to the next worker; it reads
 * nothing of them.
 */
export async function startWorkers(config: Config, log: Log, options: WorkersOptions): Promise<RunningWorkers> {
  const namesTokens = await checkStart(config, log, { ...options, features: FEATURES });
  if (config.observePort !== null && config.tlsCert !== null)
    throw new EngineError('invalid_input', 'observe_port speaks plain HTTP, and several workers with TLS do not.', {
      hint: 'Leave out workers, observe_port or tls_cert.',
    });
  const token = await prepareOnce(config, log, { ...options, namesTokens });
  const handOver = createHandOver();
  const server = createServer({ pauseOnConnect: true }, handOver.give);
  const port = await listen(server, config);
  const second = config.observePort === null ? null : createServer({ pauseOnConnect: true }, handOver.give);
  if (second !== null)
    await listenToo(second, { port: config.observePort!, log }).catch((error) => {
      stopListening(server);
      throw error;
    });
  const url = `${config.tlsCert === null ? 'http' : 'https'}://${nameOf(config.host)}:${port}`;
  const folder = mkdtempSync(join(tmpdir(), 'ltm-workers-'));
  const crew = createCrew({ count: options.count, folder, port }, { log, env: options.env, handOver });
  const close = async (): Promise<void> => {
    stopListening(server);
    if (second !== null) stopListening(second);
    await crew.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await crew.start();
  } catch (error) {
    await close();
    throw error;
  }
  log.info('listening', { url, version: VERSION, workers: options.count });
  const served = {
    url,
    token,
    async close() {
      await close();
      log.info('closed');
    },
  };
  return announce(declaredBy(FEATURES), served, { config, log });
}

/** Connections that were handed over are the workers' own. */
function stopListening(server: Server): void {
  server.close();
  server.unref();
}

/** Migrations, the owner's token, who may get in: once, before anybody answers. */
async function prepareOnce(
  config: Config,
  log: Log,
  options: AccessOptions & { namesTokens: boolean },
): Promise<FirstToken> {
  const { dbListenUrl: listenUrl, dbAdminUrl: adminUrl } = config;
  const store = await openStore(config.db, { clock: systemClock, log, listenUrl, adminUrl });
  try {
    return await prepareAccess(config, store, { ...options, log });
  } finally {
    await store.close();
  }
}

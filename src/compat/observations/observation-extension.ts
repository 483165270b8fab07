import type { HttpHost, HttpPart } from '../../features/host.ts';
import { ownerCaller } from '../../model/caller.ts';
import { readCustomPatterns } from '../../privacy/custom-patterns.ts';
import type { ServerEnv } from '../../rest/check-token.ts';
import { type Config, engineSettings } from '../../settings/config.ts';
import { systemClock } from '../../settings/system-clock.ts';
import { createObservationApps } from './create-observation-apps.ts';
import { keepCount } from './keep-count.ts';
import { createScreen } from './observe-event.ts';
import { shareRest } from './share-rest.ts';

const SHUTDOWN_MS = 100;

/** The endpoints of the old observation server at the root, and what its `/health` says. */
export function observationExtension(shared: HttpHost): HttpPart {
  const { config, engine, log, tokenCheck, peers } = shared;
  let lastRequestAt = systemClock.now();
  const { isSummarizerLeftInPeace } = engine;
  const isShared = peers !== undefined && config.summarizerUrl !== null;
  const isCircuitOpen = isShared ? shareRest(isSummarizerLeftInPeace, peers) : isSummarizerLeftInPeace;
  const countPending = keepCount(() => engine.countUnsummarized(ownerCaller('job')), log);
  const vitals = () => ({
    uptime: Math.round(process.uptime()),
    circuit_open: isCircuitOpen(),
    idle_ms: systemClock.now() - lastRequestAt,
  });
  const apps = createObservationApps<ServerEnv>(
    {
      engine,
      authenticate: tokenCheck.authenticate,
      limit: tokenCheck.limit,
      timeZone: engineSettings(config).timeZone,
      maxBodyBytes: config.maxBodyBytes,
      now: systemClock.now,
      screen: createScreen(rulesOf(config)),
      vitals: () => ({ status: 'ok', ...vitals() }),
      port: () => config.observePort ?? Number(new URL(shared.url()).port || config.port),
      shutDown: () => void setTimeout(() => stop(peers !== undefined), SHUTDOWN_MS),
      onRequest() {
        lastRequestAt = systemClock.now();
      },
    },
    tokenCheck.addressOf,
  );
  // Programs of the old server ask without a token, and serve one person: they are told what waits in the space of the owner.
  return { mounts: apps, vitals: async () => ({ ...vitals(), pending: await countPending() }) };
}

/** What a signal does, on systems without signals too. */
function stop(isWorker: boolean): void {
  if (isWorker) process.kill(process.ppid, 'SIGTERM');
  else process.emit('SIGTERM');
}

function rulesOf(config: Config) {
  return {
    excludeTools: config.captureExcludeTools,
    excludePaths: config.captureExcludePaths,
    excludeProjects: config.captureExcludeProjects,
    patterns: readCustomPatterns(config.privacyPatterns).patterns,
    replacesSecrets: config.redact === 'replace',
  };
}

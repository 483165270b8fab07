import { readSaidLine } from '../agents/read-said-line.ts';
import type { AuthStore, IdentityChanges, PublicLinks, Removals, Teams } from '../auth/ports.ts';
import type { Engine, EnginePorts } from '../engine/engine.ts';
import { latePort } from '../engine/late-port.ts';
import type { Log, Movable, Sharing, Store } from '../engine/ports.ts';
import { createEngine } from '../features/create-engine.ts';
import type { Feature } from '../features/feature.ts';
import { FEATURES } from '../features/features.ts';
import type { Late } from '../features/late.ts';
import { EngineError } from '../model/errors.ts';
import { lateFunctions } from '../model/late.ts';
import { type Config, engineSettings } from '../settings/config.ts';
import type { SettingKey } from '../settings/settings.ts';
import { systemClock } from '../settings/system-clock.ts';
import { openStore } from '../stores/open-store.ts';
import { openEmbedder, openPreviousEmbedder } from './open-embedder.ts';

export { systemClock } from '../settings/system-clock.ts';
export { openEmbedder } from './open-embedder.ts';

const { withReadReplica } = lateFunctions(() => import('../stores/read-replica.ts'), 'withReadReplica');

interface AnyOpening {
  ifSet?: SettingKey;
  open: Late<(config: Config, log: Log) => { close(): Promise<void> }>;
}

/** The features of a program that has more than the product's own. */
export interface Addition {
  /** All of them, the product's own included. */
  features?: readonly Feature[];
}

export async function openEngine(config: Config, log: Log): Promise<Engine> {
  return (await openEngineAndStore(config, log)).engine;
}

/** For the server, which keeps its tokens in the same store. Closing the engine closes the store. */
export async function openEngineAndStore(
  config: Config,
  log: Log,
  { features = FEATURES, isBrief }: Addition & { isBrief?: boolean } = {},
): Promise<{ engine: Engine; store: Store & AuthStore }> {
  const embedder = await openEmbedder(config, log);
  const previousEmbedder = await openPreviousEmbedder(config, log);
  const opened = await openPorts(features, config, log);
  const { dbListenUrl: listenUrl, dbAdminUrl: adminUrl } = config;
  const endsSoon = isBrief === true;
  const primary = await openStore(config.db, { clock: systemClock, log, listenUrl, adminUrl, endsSoon }).catch(
    async (error) => {
      throw await recogniseFile(error, config.db, features);
    },
  );
  const store = config.dbReadUrl === null ? primary : await readFromReplica(primary, config.dbReadUrl, log);
  const publicUrl = publicUrlOf(config);
  const sharing = createSharing(store);
  const ports: EnginePorts = {
    ...opened,
    store,
    embedder,
    previousEmbedder,
    clock: systemClock,
    log,
    sharing,
    secrets: store,
    readSaid: readSaidLine,
  };
  const engine = createEngine(ports, { ...engineSettings(config), publicUrl, isBrief }, features);
  engine.finishRemovals().catch((error: unknown) => log.error('removals_unfinished', describeFailure(error)));
  return { engine, store };
}

async function openPorts(features: readonly Feature[], config: Config, log: Log): Promise<Partial<EnginePorts>> {
  const ports: Record<string, unknown> = {};
  for (const { opens = {} } of features)
    for (const [name, { ifSet, open }] of Object.entries<AnyOpening>(opens)) {
      const openNow = async () => (await open())(config, log);
      if (ifSet === undefined) ports[name] = latePort(openNow);
      else if (config[ifSet] !== null) ports[name] = await openNow();
    }
  return ports;
}

/** The same refusal, with whose file it is and how what is in it comes here, where a feature can tell. */
async function recogniseFile(error: unknown, file: string, features: readonly Feature[]): Promise<unknown> {
  if (!(error instanceof EngineError) || error.code !== 'storage_unsupported') return error;
  for (const { recognise } of features) {
    const named = await (await recognise?.())?.(file, error);
    if (named != null) return named;
  }
  return error;
}

/** What a program that was killed has left is finished beside whatever this one was started for; where that fails, upkeep tries again. */
function describeFailure(error: unknown): { code: string; message: string } {
  const code = error instanceof EngineError ? error.code : 'internal';
  return { code, message: error instanceof Error ? error.message : String(error) };
}

/** A replica that is away must not hold anybody up: the primary is there. */
const REPLICA_WAIT_MS = 500;

async function readFromReplica(
  primary: Store & AuthStore & Movable,
  url: string,
  log: Log,
): Promise<Store & AuthStore> {
  try {
    return await withReadReplica(
      primary,
      await openStore(url, { clock: systemClock, log, longestWaitMs: REPLICA_WAIT_MS }),
    );
  } catch (error) {
    log.warn('read_replica_away', {
      code: error instanceof EngineError ? error.code : 'internal',
      effect: 'everything is read from the primary until the next start',
    });
    return primary;
  }
}

/** As far as the settings tell; null where the port is not known before the server listens. */
function publicUrlOf({ externalUrl, host, port, tlsCert }: Config): string | null {
  if (externalUrl !== null) return externalUrl.replace(/\/+$/, '');
  const name = ['0.0.0.0', '::', '[::]'].includes(host) ? '127.0.0.1' : host;
  return port === 0 ? null : `${tlsCert === null ? 'http' : 'https'}://${name}:${port}`;
}

/** What the engine may know of teams and public addresses. */
export function createSharing(store: IdentityChanges & Teams & PublicLinks & Removals): Sharing {
  return {
    findTeam: (by) => store.findTeam(by),
    findLink: (sha256) => store.findLink(sha256),
    async addLink(link, actor) {
      const result = await store.changeIdentity([{ op: 'add_link', link }], actor);
      if (result.outcome === 'conflict' && result.conflict.reason !== 'exists')
        throw new EngineError('conflict', 'The packet was deleted while it was being published.', {
          hint: 'Check with `ltm ls` whether it still exists.',
        });
    },
    async removeLink(sha256, actor) {
      await store.changeIdentity([{ op: 'remove_link', sha256 }], actor);
    },
    listTeamIds: () => store.listTeamIds(),
    listRemovals: () => store.listRemovals(),
    markRemoval: (id, step, at) => store.markRemoval(id, step, at),
  };
}

import type { AuthStore } from '../auth/ports.ts';
import type { Engine, EnginePorts, EngineSettings } from '../engine/engine.ts';
import type { Clock, Embedder, Log, Movable, Store } from '../engine/ports.ts';
import type { Door } from '../model/caller.ts';
import type {
  DistributeOptions,
  DistributionPlan,
  IsolateOptions,
  Isolation,
  RolesOptions,
  RolesPlan,
} from '../model/database-administration.ts';
import type { Config } from '../settings/config.ts';
import type { LocalSession } from './local-session.ts';

/** The databases that this machine can reach. */
export interface Databases {
  /** Opens a database, and makes or upgrades it where that is needed; the caller closes it. */
  openStore(
    location: string,
    options: { log: Log; clock?: Clock; adminUrl?: string | null },
  ): Promise<Store & AuthStore & Movable>;
  /** True when something of ours is at this location already; looks only, makes nothing. */
  storeExists(location: string): Promise<boolean>;
  /** Makes the file at `path` what the one at `copy` is. What is there is moved to `aside` where it cannot be read or nobody has a copy of it. */
  replaceDatabase(
    path: string,
    copy: string,
    options: { aside: string; isCopied: boolean },
  ): Promise<{ movedAside: boolean }>;
  /** False where the file is no readable database; throws where somebody else has it open. */
  isAloneWith(path: string): Promise<boolean>;
}

/** What works on a database. */
export interface Engines {
  /** The engine of the configured database. Closing it closes all that was opened for it. */
  openEngine(config: Config, log: Log): Promise<Engine>;
  /** An engine over ports that are open already. */
  createEngine(ports: EnginePorts, settings: EngineSettings): Promise<Engine>;
  /** The configured database, opened for the person at this machine. */
  openSession(config: Config, door: Door): Promise<LocalSession>;
  /** The embedder that the settings name; null where they name none. */
  openEmbedder(config: EmbedderConfig, log: Log): Promise<Embedder | null>;
  /** The embedder in use before the present one, until that has caught up. */
  openPreviousEmbedder(config: Config, log: Log): Promise<Embedder | null>;
}

/** Work on a PostgreSQL database that only its administrator may do. */
export interface DatabaseAdministration {
  /** Says or sets who owns the tables, and who may do what with them. */
  setDatabaseRoles(config: Config, options: RolesOptions): Promise<RolesPlan>;
  /** Spreads the tables over the nodes of a cluster. */
  distributeDatabase(config: Config, options: DistributeOptions): Promise<DistributionPlan>;
  /** Gives a space a shard of its own; `who` is a space, a team's name or a person's id or address. */
  isolateTenant(config: Config, who: string, options: IsolateOptions): Promise<Isolation>;
}

/** Those of the settings that say which embedder it is. */
export type EmbedderConfig = Pick<Config, Extract<keyof Config, `embedder${string}`>>;

/** What commands and background work can open on this machine. Each is loaded when it is first asked for. */
export interface Machine extends Databases, Engines, DatabaseAdministration {}

import type { SpaceId } from './ids.ts';

export interface RolesOptions {
  /** Who is to own the tables. By default their owner if nobody can log in as it, else a role named after the database. */
  owner?: string;
  /** Roles that are to read and write rows. By default those that do, and the owner up to now. */
  serving?: readonly string[];
  /** Only tell what would be done. */
  dryRun?: boolean;
}

export interface RolesPlan {
  database: string;
  schema: string;
  /** Who does it. */
  role: string;
  owner: string;
  /** Who owns the tables now; null where there are none yet. */
  present: string | null;
  serving: readonly string[];
  /** Of the tables: 0 where there are none, and `toVersion` after it. */
  version: number;
  toVersion: number;
  /** Everything but the upgrade of the tables, in order; empty when all is as it should be. */
  sql: string[];
  /** False: the role may not do it, and somebody who may has to run the statements. */
  mayDo: boolean;
}

export interface DistributeOptions {
  /** Only tell what would be done. */
  dryRun?: boolean;
  /** How many pieces the spaces are spread over; the cluster's own default where not said. Cannot be changed later by this command. */
  shards?: number;
  onTable?: (table: string, done: number, total: number) => void;
}

export interface TablePlan {
  table: string;
  /** By its space, beside the other tables of that space; or whole on every node. */
  as: 'distributed' | 'reference';
  bytes: number;
  done: boolean;
}

export interface DistributionPlan {
  citus: string;
  schema: string;
  /** Nodes that hold shards. */
  nodes: string[];
  shards: number;
  /** Referenced tables before those that refer to them. */
  tables: TablePlan[];
}

export interface IsolateOptions {
  /** `HOST:PORT` of the node that is to hold the space; it stays on its node where not said. */
  node?: string;
  /** Only tell what would be done. */
  dryRun?: boolean;
  /** Let writers of that shard wait meanwhile: needs no logical replication on the servers. */
  blockWrites?: boolean;
  /** After so long it is given up, and what Citus had begun is removed. */
  limitMs?: number;
}

export interface Isolation {
  space: SpaceId;
  /** False: it shares its shard with other spaces, and would be given one of its own. */
  alone: boolean;
  shard: number;
  node: string;
  nodes: string[];
  moved: boolean;
}

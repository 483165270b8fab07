import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Hono } from 'hono';
import type { Invitations, SignIns, TeamAccounts } from '../auth/accounts.ts';
import type { Authenticate, CredentialSource } from '../auth/authenticate.ts';
import type { AuthStore } from '../auth/ports.ts';
import type { StreamGuard } from '../auth/stream-guard.ts';
import type { Engine } from '../engine/engine.ts';
import type { Log, Store } from '../engine/ports.ts';
import type { KeptSessions } from '../mcp/session-table.ts';
import type { ToolTable } from '../mcp/tool-table.ts';
import type { RestPorts } from '../rest/rest-env.ts';
import type { Config } from '../settings/config.ts';
import type { VerbTable } from '../verbs/verb.ts';
import type { ServerEnv, TokenCheckPorts } from './check-token.ts';
import type { Peers } from './workers/peers.ts';

/** A part of the server with a path of its own. */
export interface Mount {
  path: string;
  app: Hono<ServerEnv>;
}

export interface ServerPorts {
  engine: Engine;
  store: Store & AuthStore;
  log: Log;
  /** Where not only the product's own. */
  verbs?: VerbTable | undefined;
  /** The other processes that answer at the same port. */
  peers?: Peers;
  /** Known only once the server listens: with the port that was free. */
  url(): string;
}

/** What an addition to the server brings: paths, kinds of tokens, things to close. */
export interface ServerExtension {
  mounts?: readonly Mount[];
  credentials?: readonly CredentialSource[];
  /** Answers requests that Hono does not see (an engine with a listener of its own); false: not mine. Host and Origin have been checked. */
  listener?: (request: IncomingMessage, response: ServerResponse) => boolean;
  resourceMetadataUrl?: (request: Request) => string | null;
  /** What it adds to `/health`, which everybody may ask. */
  vitals?: () => Promise<Record<string, unknown>>;
  close?: () => Promise<void>;
}

export interface ExtensionPorts extends ServerPorts {
  config: Config;
  tools: ToolTable;
  accounts: SignIns & TeamAccounts & Invitations;
  authenticate: Authenticate;
  tokenCheck: TokenCheckPorts;
  /** Whatever stays open is held by it. */
  streams: StreamGuard;
  /** How sessions are kept here. */
  kept: KeptSessions;
  /** What the routes of the API work with. */
  rest: RestPorts;
  /** Where this server is reached, without a slash at the end. */
  urlOf(request: Request): string;
}

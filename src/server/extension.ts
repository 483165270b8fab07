import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Authenticate, CredentialSource } from '../auth/authenticate.ts';
import type { AuthStore } from '../auth/ports.ts';
import type { StreamGuard } from '../auth/stream-guard.ts';
import type { Engine } from '../engine/engine.ts';
import type { Log, Store } from '../engine/ports.ts';
import type { Feature } from '../features/feature.ts';
import type { HttpHost, HttpPart } from '../features/host.ts';
import type { KeptSessions } from '../mcp/session-table.ts';
import type { Answers } from '../rest/answer-fields.ts';
import type { VerbTable } from '../verbs/verb.ts';
import type { Peers } from './workers/peers.ts';

export interface ServerPorts {
  engine: Engine;
  store: Store & AuthStore;
  log: Log;
  /** Those whose paths, tools and tokens are served, with the systems that need no others; all of the product's own where nothing is said. */
  features?: readonly Feature[] | undefined;
  /** Where not only the product's own. */
  verbs?: VerbTable | undefined;
  /** What these answer over REST. */
  answers?: Answers | undefined;
  /** The other processes that answer at the same port. */
  peers?: Peers;
  /** Known only once the server listens: with the port that was free. */
  url(): string;
}

/** A part of the server that knows more of it than a feature may. */
export interface ServerExtension extends HttpPart {
  credentials?: readonly CredentialSource[];
  /** Answers requests that Hono does not see (an engine with a listener of its own); false: not mine. Host and Origin have been checked. */
  listener?: (request: IncomingMessage, response: ServerResponse) => boolean;
  resourceMetadataUrl?: (request: Request) => string | null;
  close?: () => Promise<void>;
}

export interface ExtensionPorts extends Omit<ServerPorts, 'verbs' | 'answers'>, HttpHost {
  peers?: Peers;
  authenticate: Authenticate;
  /** Whatever stays open is held by it. */
  streams: StreamGuard;
  /** How sessions are kept here. */
  kept: KeptSessions;
}

import type { Invitations, SignIns, TeamAccounts } from '../auth/accounts.ts';
import type { CredentialSource } from '../auth/authenticate.ts';
import type { Teams } from '../auth/ports.ts';
import type { ContextQuestion } from '../client/ask-server.ts';
import type { Engine } from '../engine/engine.ts';
import type { Log } from '../engine/ports.ts';
import type { ToolTable } from '../mcp/tool-table.ts';
import type { TokenCheckPorts } from '../rest/check-token.ts';
import type { Mount } from '../rest/mount.ts';
import type { OtherProcesses } from '../rest/peers.ts';
import type { RestPorts } from '../rest/rest-env.ts';
import type { Config, ConfigSources } from '../settings/config.ts';
import type { Environment } from '../settings/settings.ts';
import type { LocalSession } from '../verbs/local-session.ts';
import type { Machine } from '../verbs/machine.ts';
import type { Late } from './late.ts';

/** The HTTP server, as its parts see it. */
export interface HttpHost {
  config: Config;
  engine: Engine;
  log: Log;
  tools: ToolTable;
  accounts: SignIns & TeamAccounts & Invitations;
  tokenCheck: TokenCheckPorts;
  /** What the routes of the API work with. */
  rest: RestPorts;
  /** What can be opened beside what the server has open. */
  machine: Machine;
  /** The other processes that answer at the same port. */
  peers?: OtherProcesses | undefined;
  /** Known only once the server listens: with the port that was free. */
  url(): string;
  /** Where this server is reached, without a slash at the end. */
  urlOf(request: Request): string;
}

/** What is added to the HTTP server. */
export interface HttpPart {
  mounts?: readonly Mount[];
  /** What it adds to `/health`, which everybody may ask. */
  vitals?: () => Promise<Record<string, unknown>>;
}

/** Tokens that the operator has put into the settings. */
export interface OperatorTokens {
  /** Whether there are any, before anything is opened; throws where they could not be used. */
  check(config: Config, host: { isLocal: boolean; log: Log }): boolean;
  open(config: Config, store: Teams): CredentialSource | null;
}

/** A server that is about to answer. */
export interface StartingServer {
  config: Config;
  engine: Engine;
  store: Teams;
  log: Log;
  /** Of several processes behind one port, the one that does what is to be done once. */
  isFirst: boolean;
}

/** Something that goes on beside the answers; resolves when nothing of it runs any more. */
export interface Running {
  close(): Promise<void>;
}

/** For as long as an agent is served over stdin and stdout; null where there is nothing to do. */
export interface AgentService {
  /** From the database of this machine, which is opened when it is asked for. */
  near(config: Config, open: () => Promise<{ engine: Engine }>): RunningBriefly | null;
  /** From a server. */
  far(config: Config, env: Environment): RunningBriefly | null;
}

export interface RunningBriefly extends Running {
  /** Does what has come since the last look, for a moment at most: for somebody who is about to leave. */
  takeLast(): Promise<void>;
}

/** Before a command that somebody waits for, and for a moment only. */
export interface CommandService {
  /** When files with these endings lie in a folder; nothing is loaded for the look. */
  readonly due: { readonly place: 'spool'; readonly endings: readonly string[] };
  /** The command works on the database of this machine. */
  near: Late<(opened: { config: Config; engine: Engine; log: Log }) => Promise<void>>;
  /** It asks a server. */
  far: Late<(config: Config, env: Environment) => Promise<void>>;
}

/** A command that an agent waits for: it takes its words as they are, and nothing else is loaded for it. */
export type InstantCommand = (words: readonly string[], env: Environment) => Promise<number>;

/** What a session is told, for a hook that found no server; null: nothing. */
export type AnswerHook = (
  question: ContextQuestion,
  sources: ConfigSources & { env: Environment },
  open: (sources: ConfigSources) => Promise<LocalSession>,
) => Promise<string | null>;

/** Asked of every message that an agent sends to a server: the answer that it gets instead, or null for most. */
export type CheckOutgoing = (message: unknown) => Promise<object | null>;

/** What is opened and closed with a process, by the kind of process. */
export interface Services {
  /** When a server or the process of an agent starts. */
  start?: Late<(env: Environment, log: Log) => void>;
  /** Before a server answers anybody; throws where it could not work. What comes back begins when the server listens. */
  server?: Late<(server: StartingServer) => Promise<(() => Running) | null>>;
  agent?: Late<AgentService>;
  command?: CommandService;
  /** Once a server listens, by whoever holds the port; what comes back takes it back before the server closes. */
  listening?: Late<(config: Config, log: Log, at: { url: string; tokenFile: string | null }) => () => void>;
}

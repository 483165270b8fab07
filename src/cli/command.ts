import type { Feature } from '../features/feature.ts';
import type { ConfigSources } from '../settings/config.ts';
import type { Environment } from '../settings/settings.ts';
import type { Client } from '../verbs/client.ts';
import type { LocalSession } from '../verbs/local-session.ts';
import type { Machine } from '../verbs/machine.ts';
import type { CommandFlag } from '../verbs/verb.ts';
import type { Arguments } from './read-arguments.ts';
import type { Terminal } from './terminal.ts';

export type Flag = CommandFlag;

/** Understood by every command, before or after its name. */
export const GLOBAL_FLAGS: readonly Flag[] = [
  { name: 'db', value: 'FILE', description: 'The database to use.' },
  { name: 'server', value: 'URL', description: 'The server to use instead of the local database.' },
  { name: 'local', description: 'Use the local database even if you are signed in to a server.' },
  { name: 'config', value: 'FILE', description: 'The config file to use.' },
  { name: 'json', description: 'Print the result as JSON.' },
  { name: 'quiet', short: 'q', description: 'Print only results and errors.' },
  { name: 'help', short: 'h', description: 'Show help for the command.' },
];

/** One line of the command table. What it does is loaded only when it is called. */
export interface Command {
  name: string;
  summary: string;
  /** What follows the name. */
  usage: string;
  /** More than the summary says, for `ltm help <command>`. */
  about?: string;
  flags: readonly Flag[];
  /** Every setting can be given as a flag. */
  takesSettings?: boolean;
  /** `.env` of the working folder may name the database and the tokens file. */
  readsDotEnv?: boolean;
  /** It works on this machine and its database, whatever server the person uses. */
  isLocal?: boolean;
  /** What it says of a database could be taken for what is on that server: it says where it looks. */
  tellsPlace?: boolean;
  /** It changes nothing: a database that somebody has named and that is not there is a mistake, not a wish for an empty one. */
  reads?: boolean;
  /** First words after the name that shells complete. */
  words?: readonly string[];
  /** How many words may follow the name; any number where nothing is said. */
  maxWords?: number;
  examples: readonly string[];
  load(): Promise<(context: CommandContext) => Ending>;
}

/** The exit code; where none comes back it is 0. */
export type Ending = Promise<number | undefined> | Promise<void>;

/** A line as the tables write it; its usage says which words may follow the name, and how many. */
export type CommandLine = Omit<Command, 'usage' | 'flags'> & Partial<Command>;

/** What a command may ask of the program that it belongs to. */
export interface Program {
  /** All commands, in the order of the documents. */
  commands(): Promise<readonly Command[]>;
  find(name: string): Promise<Command>;
  /** Another command line, on the same terminal. */
  run(argv: readonly string[]): Promise<number>;
  /** Serves until a signal comes; with `onlyWithTokens` only where somebody could get in. */
  serve(context: CommandContext, options: { onlyWithTokens: boolean }): Promise<void>;
}

export interface CommandContext {
  args: Arguments;
  terminal: Terminal;
  env: Environment;
  /** Where the settings of this call come from. */
  sources: ConfigSources;
  /** Results as JSON on stdout. */
  json: boolean;
  /** The result in wire form where JSON is wanted, otherwise what people are shown. */
  answer(result: object, shown: string | (() => void)): void;
  /** The server that this call acts on; null: the database of this machine. */
  server(): Promise<string | null>;
  /** The verbs, carried out where this call acts; with `team`, in that team's space. */
  client(options?: { team?: string }): Promise<Client>;
  /** Opens the database of this machine at the first call; the caller of the command closes it. */
  open(): Promise<LocalSession>;
  /** The verbs, carried out on the database of this machine whatever server the person uses. */
  near(options?: { team?: string | undefined }): Promise<Client>;
  /** The features of this program, which say what else they have for a command. */
  features: readonly Feature[];
  /** The program that runs this command. */
  program: Program;
  /** What else can be opened on this machine. */
  machine: Machine;
}

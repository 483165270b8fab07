import type { ConfigSources } from '../server/config.ts';
import type { LocalSession } from '../server/local-session.ts';
import type { Environment } from '../server/settings.ts';
import type { Arguments } from './read-arguments.ts';
import type { Terminal } from './terminal.ts';

export interface Flag {
  name: string;
  short?: string;
  /** What stands for the value in the help; a flag without one is a switch. */
  value?: string;
  description: string;
  /** May be given several times. */
  many?: boolean;
  choices?: readonly string[];
  /** A switch that may carry a value after `=`: what stands for it in the help. */
  inline?: string;
}

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
  /** First words after the name that shells complete. */
  words?: readonly string[];
  /** How many words may follow the name; any number where nothing is said. */
  maxWords?: number;
  examples: readonly string[];
  load(): Promise<{ run: (context: CommandContext) => Promise<number> }>;
}

export interface CommandContext {
  args: Arguments;
  terminal: Terminal;
  env: Environment;
  /** Where the settings of this call come from. */
  sources: ConfigSources;
  /** Results as JSON on stdout. */
  json: boolean;
  /** Opens the database at the first call; the caller of the command closes it. */
  open(): Promise<LocalSession>;
}

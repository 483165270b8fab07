import type { CommandContext, CommandLine } from '../cli/command.ts';
import type { ServerClient } from '../client/server-client.ts';
import type { ClosedPort, EngineFeature, EnginePorts } from '../engine/engine.ts';
import type { LatePort } from '../engine/late-port.ts';
import type { Log } from '../engine/ports.ts';
import type { KindTable } from '../engine/records/kind.ts';
import type { ToolGroup } from '../mcp/tool-table.ts';
import type { EngineError } from '../model/errors.ts';
import type { ImportedParts, TakenImport } from '../model/imported-parts.ts';
import type { OpenedMendSource } from '../model/mend-source.ts';
import type { Answers } from '../rest/answer-fields.ts';
import type { Config } from '../settings/config.ts';
import type { SettingKey, SettingPart } from '../settings/settings.ts';
import type { Client } from '../verbs/client.ts';
import type { VerbTable } from '../verbs/verb.ts';
import type {
  AnswerHook,
  CheckOutgoing,
  HttpHost,
  HttpPart,
  InstantCommand,
  OperatorTokens,
  Services,
} from './host.ts';
import type { Late } from './late.ts';

export type Actions = Readonly<Record<string, (context: CommandContext) => Promise<number>>>;

export type TakeImported<Item> = (
  client: Client,
  items: readonly Item[],
  options: { isDryRun: boolean; onProgress: (step: string, done: number, total: number) => void },
) => Promise<TakenImport>;

export interface Check {
  readonly name: string;
  look(context: CommandContext, config: Config): Promise<Checked>;
}

export interface Checked {
  /** Joins what the command answers as JSON. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** What people are shown: lines with their names. */
  readonly rows: readonly (readonly [name: string, shown: string])[];
  /** What is wrong, and the way out. */
  readonly problems: readonly { message: string; hint: string }[];
}

/** A port is opened by the first who asks for it, or with the engine where a setting is given that it takes. */
export type Opening<Port> =
  Port extends LatePort<infer Opened>
    ? { readonly ifSet?: never; readonly open: Late<(config: Config, log: Log) => Opened> }
    : { readonly ifSet: SettingKey; readonly open: Late<(config: Config, log: Log) => Port> };

/** One capability that a user would name. Whatever it declares here is found by walking the table in `features.ts`. */
export interface Feature extends EngineFeature {
  /** What a user loses without it. */
  readonly about: string;
  /** Features whose functions and words it uses; removing one of them removes it, too. */
  readonly needs?: readonly string[];
  /** The version of what it exchanges with other programs; `ltm version` tells it. */
  readonly protocol?: string;
  /** What the operator and the person can set of it. */
  readonly settings?: SettingPart;
  /** What people, agents and scripts can tell it to do. */
  readonly verbs?: Late<VerbTable>;
  /** What its verbs answer over REST, by their names. */
  readonly answers?: Late<Answers>;
  /** The commands of the terminal that are about it. */
  readonly commands?: Late<readonly CommandLine[]>;
  /** What agents are offered beside its verbs, with the settings where there are any; a system has a family of its own. */
  readonly tools?: Late<(config: Config | null) => readonly ToolGroup[]>;
  /** Paths of the HTTP server beside MCP and the API, and what it adds to `/health`. */
  readonly http?: Late<(host: HttpHost) => HttpPart>;
  /** Commands by their names, found in `early.ts` without this declaration, as are the next two. */
  readonly instant?: Readonly<Record<string, Late<InstantCommand>>>;
  readonly answering?: Late<AnswerHook>;
  readonly outgoing?: Late<CheckOutgoing>;
  /** What goes on beside the calls for as long as a process lives. */
  readonly services?: Services;
  /** Ports of the engine, by their names. */
  readonly opens?: { readonly [Name in ClosedPort]?: Opening<NonNullable<EnginePorts[Name]>> };
  /** Of a file that is no database of ours: the refusal with its name and the way out; null for one that it does not know. */
  readonly recognise?: Late<(file: string, refused: EngineError) => Promise<EngineError | null>>;
  /** Verbs that it carries out on a server by an interface of another system, in place of ours. */
  readonly remote?: Late<(server: ServerClient, team: string | undefined) => Partial<Client>>;
  /** Words of a command that another feature has, by the name of that command. */
  readonly actions?: Readonly<Record<string, Late<Actions>>>;
  /** What it takes in of another memory system's data, beside memories. */
  readonly imports?: { readonly [Part in keyof ImportedParts]?: Late<TakeImported<ImportedParts[Part]>> };
  /** Opens a file that is no database, for a repair to take from it what is damaged; throws where it cannot. */
  readonly mends?: Late<(file: string, kinds: KindTable) => Promise<OpenedMendSource>>;
  /** What `ltm status` looks at and says. */
  readonly checks?: Late<readonly Check[]>;
  /** By which else than tokens of the database somebody gets in. */
  readonly tokens?: Late<OperatorTokens>;
}

/** Keeps the types of what is declared. */
export function defineFeature<const Declared extends Feature>(feature: Declared): Declared {
  return feature;
}

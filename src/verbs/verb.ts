import type { Accounts, Asker } from '../auth/accounts.ts';
import type { Grants } from '../auth/oauth/grants.ts';
import type { Action } from '../engine/authorize.ts';
import type { Engine } from '../engine/engine.ts';
import type { Caller } from '../model/caller.ts';
import type { ErrorCode } from '../model/errors.ts';
import type { Instant } from '../model/ids.ts';
import type { MemoryTypes } from '../model/memory-types.ts';
import type { Fields } from './field.ts';

/** What verbs work with: the same behind every door. */
export interface VerbContext {
  engine: Engine;
  caller: Caller;
  now: Instant;
  /** For callers who name none. */
  timeZone: string;
  /** What lasts from one call to the next, where there is such a thing. */
  session?: CallSession;
  /** Where somebody wants to know how far a long call has come. */
  onProgress?: OnProgress;
}

/** `done` of `total`, and in a few words what. */
export type OnProgress = (done: number, total: number, about: string) => void;

/** Of one connection of a client. */
export interface CallSession {
  /** The workspace that it has been bound to. */
  workspace: string | null;
}

/** What only a server, or a program at its database, can offer. */
export interface HostContext extends VerbContext {
  /** Loaded by the first verb that is about people. */
  accounts(): Promise<Accounts>;
  grants(): Promise<Grants>;
  /** Who asks about people: the caller, or whoever runs the server at its machine. */
  asker: Asker;
  memoryTypes: MemoryTypes;
  /** Where this server is reached, without a slash at the end; null where nobody has said. */
  url: string | null;
  /** Where the request comes from. */
  address: string;
}

/**
 * One thing that can be done, said once: its name, the right it needs, what goes in, the function, and how each door
 * offers it. `In` and `Out` are in the engine's words; outside, `input` names the same fields in snake_case.
 */
export interface Verb<In, Out, Context extends VerbContext = VerbContext> {
  /** Asked of `authorize` before anything is read. */
  needs: Action;
  /** Whether it changes anything, whatever method it has; absent: whatever needs more than to read does. */
  writes?: boolean;
  /** The section of the API's document it stands in; `inGroup` gives one to several verbs. */
  group?: string;
  input: Fields;
  /** What REST takes from headers; elsewhere these are fields like the others. */
  inHeaders?: Fields;
  /** What a caller in this process hands over besides fields: streams, bytes, functions. */
  handed?: readonly (keyof In & string)[];
  run: (context: Context, input: In) => Promise<Out>;
  rest?: RestOffer<Out>;
  tool?: ToolOffer<In, Out>;
  command?: CommandOffer;
}

export type InputOf<V> = V extends { run: (context: never, input: infer In) => unknown } ? In : never;
export type OutputOf<V> = V extends { run: (...args: never[]) => Promise<infer Out> } ? Out : never;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Headers that say something about the caller rather than the call. */
export type CallerHeader = 'X-Agent-ID' | 'X-Client-Hostname' | 'X-Time-Zone' | 'If-None-Match' | 'Last-Event-ID';

export interface RestOffer<Out> {
  /** Method and path below the API's, as OpenAPI writes it: `GET /memories/{ref}`. Fields in braces come from there. */
  at: `${Method} /${string}`;
  summary: string;
  headers?: readonly CallerHeader[];
  example?: { path?: string; body?: unknown };
  /** What each status means. The first one is usual; `statusOf` chooses another. */
  answers: Readonly<Record<number, string>>;
  statusOf?(out: Out): number;
  /** Sent as the ETag. */
  revisionOf?(out: Out): number | undefined;
  /** Where the thing itself is found, below the API's path. */
  locationOf?(out: Out): string | undefined;
  /** The answer has a cursor: the address of the next page is added. */
  isPaged?: true;
  /** An outcome that is a failure to HTTP: told as a problem document, and read back by the client. */
  problem?: {
    of(out: Out): ProblemFacts | null;
    toOutcome(problem: Readonly<Record<string, unknown>>): Out | null;
  };
  /** The same verb with everything in the address. */
  byUrl?: { name: string; summary: string; rename: Readonly<Record<string, string>>; example: { path: string } };
  /** It carries a whole note or transcript: the limit of uploads holds for its body, not the usual one. */
  isUpload?: true;
  /** JSON lines come out or go in; `file`: the body is a file, as it is or in a form, and what is said of it stands in the address or the form. */
  streams?: 'out' | 'in' | 'file';
}

export interface ProblemFacts {
  code: ErrorCode;
  message: string;
  hint?: string;
  status?: number;
  facts?: Record<string, unknown>;
  errors?: readonly { field: string; message: string }[];
}

/** A piece of JSON Schema, small enough for every client. */
export type JsonShape = { readonly [keyword: string]: unknown };

/** A piece of it in short: a type, one of several words (`found|nothing`), a list of one shape, or an object by its fields. */
export type Shape = 'string' | 'number' | 'boolean' | 'object' | `${string}|${string}` | readonly [Shape] | Shapes;
export type Shapes = { readonly [name: string]: Shape };

export interface ToolOffer<In, Out> {
  /** The family it is listed in; absent: core. */
  family?: 'documents' | 'graph' | 'upkeep';
  name: string;
  title: string;
  /** Short: every client pays for it in every conversation. */
  text: string;
  /** Arguments that are listed, in this order, each with what is said of it; all others of the input are understood too. */
  shown: Readonly<Record<string, string | JsonShape>>;
  /** Arguments that only the tool has. */
  own?: Fields;
  /** What is not understood over MCP although the verb knows it. */
  without?: readonly string[];
  /** From arguments to the verb's input where they differ. */
  read?(args: Readonly<Record<string, unknown>>): Record<string, unknown>;
  destructive?: true;
  idempotent?: true;
  /** Shown to the model at once by clients that otherwise load tools on demand. */
  alwaysLoad?: true;
  /** Beside `message`, which every answer has. Nothing in it is required: an error is a valid answer too. */
  output: Shapes;
  answer(out: Out, call: { now: Instant; input: In; context: VerbContext }): ToolAnswer['structured'];
  /** It gives whole texts that the caller named: they are shown as they are stored. */
  isWhole?: true;
  /** The call did not do what it was asked for; the answer says why under `error`. */
  isError?(out: Out): boolean;
}

/** What a tool has to say, complete; the text is made from it unless the tool's form demands its own. */
export interface ToolAnswer {
  structured: Record<string, unknown>;
  isError?: boolean;
  text?: string;
  /** Its texts are whole ones that the caller named; otherwise they are excerpts. */
  isWhole?: boolean;
  /** Said beside a text that is a document of its own. */
  note?: string;
}

export interface CommandOffer {
  name: string;
  summary: string;
  usage: string;
  about?: string;
  /** The field that the words after the name are: a text, or a list of names. */
  words?: string;
  /** Fields of the input that are flags, with their short names; the flag is the field's name with dashes. */
  flags: readonly (string | readonly [name: string, short: string])[];
  /** Flags that are no fields. */
  own?: readonly CommandFlag[];
  maxWords?: number;
  examples: readonly string[];
}

export interface CommandFlag {
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

/** Ties the types of the parts of a declaration together. */
export function defineVerb<In, Out, Context extends VerbContext = VerbContext>(
  verb: Verb<In, Out, Context>,
): Verb<In, Out, Context> {
  return verb;
}

export function writesOf({ needs, writes = needs !== 'read' }: Pick<AnyVerb, 'needs' | 'writes'>): boolean {
  return writes;
}

/** Everything that can be said to a verb, by wire names. */
export function fieldsOf({ input, inHeaders }: Pick<AnyVerb, 'input' | 'inHeaders'>): Fields {
  return inHeaders === undefined ? input : { ...input, ...inHeaders };
}

/** Verbs by their names, which are also the methods of the client and the operations of the API's document. */
export type VerbTable = Readonly<Record<string, AnyVerb>>;

/** A verb whose types do not matter to whoever goes through the table. */
export type AnyVerb = Verb<never, unknown, HostContext>;

export function splitAt({ at }: Pick<RestOffer<unknown>, 'at'>): { method: Method; path: string } {
  const [method, path] = at.split(' ') as [Method, string];
  return { method, path };
}

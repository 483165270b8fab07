import { authorize } from '../engine/authorize.ts';
import type { AnyVerb, HostContext, InputOf, OutputOf, VerbTable } from './verb.ts';

/** The verbs of a table as functions, wherever they are carried out. */
export type ClientOf<Table> = {
  [Name in keyof Table]: (input: InputOf<Table[Name]>) => Promise<OutputOf<Table[Name]>>;
};

/** Everything that can be done with a memory, near or far. Each feature joins its own verbs to it, in its `feature.ts`. */
// biome-ignore lint/suspicious/noEmptyInterface: features merge their declarations into it
export interface Client {}

/** Carries out a verb here: the rights are asked for first. */
export async function runVerb<In, Out>(
  verb: { needs: AnyVerb['needs']; run: (context: HostContext, input: In) => Promise<Out> },
  context: HostContext,
  input: In,
): Promise<Out> {
  authorize(context.caller, verb.needs, context.caller.space);
  return verb.run(context, input);
}

/** A client over whatever carries out one verb: a call in this process, or a request. */
export function createClient<Table extends VerbTable>(
  table: Table,
  call: (verb: AnyVerb, input: never) => Promise<unknown>,
): ClientOf<Table> {
  const entries = Object.entries(table).map(([name, verb]) => [name, (input: never) => call(verb, input)]);
  return Object.fromEntries(entries) as ClientOf<Table>;
}

/** The same for verbs that are looked up when they are called. What bears none of these names is not there, as with any other object. */
export function createLateClient<Table extends VerbTable>(
  names: Iterable<string>,
  find: (name: string) => Promise<AnyVerb | undefined>,
  call: (verb: AnyVerb, input: never) => Promise<unknown>,
): ClientOf<Table> {
  const invoke = async (name: string, input: never): Promise<unknown> => {
    const verb = await find(name);
    if (verb === undefined) throw new TypeError(`there is no verb ${name}`);
    return call(verb, input);
  };
  const entries = Array.from(names, (name) => [name, (input: never) => invoke(name, input)]);
  return Object.fromEntries(entries) as ClientOf<Table>;
}

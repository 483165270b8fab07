import type { Fields } from '../verbs/field.ts';
import { pickFields } from '../verbs/field-schema.ts';
import { readInput } from '../verbs/read-input.ts';
import { type AnyVerb, fieldsOf, type ToolOffer, type Verb, type VerbTable, writesOf } from '../verbs/verb.ts';
import { makeTool, type Tool } from './tool.ts';
import type { ToolGroup } from './tool-table.ts';

/** What agents need most often first, as they have always seen it; tools that are not named here follow. */
const ORDER = ['store', 'search', 'get', 'list', 'update', 'delete', 'restore', 'health', 'quality'].map(
  (name) => `memory_${name}`,
);

export function inUsualOrder(tools: readonly Tool[]): Tool[] {
  const place = ({ name }: Tool): number => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
  return [...tools].sort((a, b) => place(a) - place(b));
}

/** The verbs that are offered to agents, in groups by family. */
export function toolsOfVerbs(verbs: VerbTable): ToolGroup[] {
  const offered = Object.values(verbs).filter(isOffered);
  const byFamily = Map.groupBy(offered, ({ tool }) => tool.family ?? 'core');
  return Array.from(byFamily, ([family, some]) => ({ family, tools: some.map((verb) => toolOf(verb, verb.tool)) }));
}

/** A tool has the engine and the caller; a verb that needs more than these is not offered as one. */
function isOffered(verb: Pick<AnyVerb, 'tool'>): verb is Verb<never, unknown> & { tool: ToolOffer<never, unknown> } {
  return verb.tool !== undefined;
}

/** A verb as agents call it: arguments read forgivingly, the answer told in the tool's own form. */
function toolOf<In, Out>(verb: Verb<In, Out>, offer: ToolOffer<In, Out>): Tool {
  const inputFields = fieldsOf(verb);
  return makeTool(
    { ...offer, output: { message: 'string', ...offer.output }, action: verb.needs, writes: writesOf(verb) },
    {
      fields: acceptedFields(verb, offer),
      shown: offer.shown,
      async run(context, args) {
        const input = readInput(inputFields, offer.read?.(args) ?? args) as In;
        const out = await verb.run(context, input);
        const structured = offer.answer(out, { now: context.now, input, context });
        return { structured, isError: offer.isError?.(out), isWhole: offer.isWhole };
      },
    },
  );
}

/** Those that are shown come first: so they do where an argument is unknown. */
function acceptedFields<In, Out>(verb: Verb<In, Out>, { own, without = [], shown }: ToolOffer<In, Out>): Fields {
  const understood = pickFields({ ...fieldsOf(verb), ...own }, (name) => !without.includes(name));
  return { ...pickFields(understood, (name) => name in shown), ...understood };
}

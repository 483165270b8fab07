import type { Field, Fields } from '../verbs/field.ts';
import { pickFields } from '../verbs/field-schema.ts';
import { readInput } from '../verbs/read-input.ts';
import { fieldsOf, type JsonShape, type ToolOffer, type Verb } from '../verbs/verb.ts';
import { readArguments } from './read-arguments.ts';
import { annotate, type ObjectSchema, type Tool } from './tool.ts';

/** A verb as agents call it: arguments read forgivingly, the answer told in the tool's own form. */
export function toolOf<In, Out>(verb: Verb<In, Out>, offer: ToolOffer<In, Out>): Tool {
  const accepted = acceptedFields(verb, offer);
  return {
    name: offer.name,
    action: verb.needs,
    fields: accepted,
    describe: () => ({
      name: offer.name,
      title: offer.title,
      description: offer.text,
      inputSchema: describeFields(accepted, offer.shown),
      outputSchema: { type: 'object', properties: offer.output },
      annotations: annotate(verb.writes === true, offer),
      ...(offer.alwaysLoad === true && { _meta: { 'anthropic/alwaysLoad': true } }),
    }),
    async call(context, rawArguments) {
      const args = readArguments(accepted, rawArguments);
      const input = readInput(fieldsOf(verb), offer.read?.(args) ?? args) as In;
      return offer.answer(await verb.run(context, input), { now: context.now, input, context });
    },
  };
}

function acceptedFields<In, Out>(verb: Verb<In, Out>, { own, without = [] }: ToolOffer<In, Out>): Fields {
  const understood = pickFields(fieldsOf(verb), (name) => !without.includes(name) && name !== 'ref');
  return own === undefined ? understood : { ...understood, ...own };
}

/** What `tools/list` shows of arguments: as little as a model needs. */
export function describeFields(fields: Fields, shown: Readonly<Record<string, string | JsonShape>>): ObjectSchema {
  const names = Object.keys(shown);
  const required = names.filter((name) => fields[name]?.isRequired === true);
  const properties = Object.fromEntries(
    names.map((name) => {
      const said = shown[name]!;
      if (typeof said !== 'string') return [name, said];
      return [name, { ...(said !== '' && { description: said }), ...describeField(fields[name]!) }];
    }),
  );
  return {
    type: 'object',
    ...(names.length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

function describeField({ type, choices, min, max }: Field): JsonShape {
  switch (type) {
    case 'integer':
    case 'number':
      return { type, ...(min !== undefined && { minimum: min }), ...(isOurLimit(max) && { maximum: max }) };
    case 'flag':
      return { type: 'boolean' };
    case 'choice':
      return { type: 'string', enum: choices };
    case 'json':
      return { type: 'object' };
    case 'tags':
    case 'refs':
      return { type: 'array', items: { type: 'string' } };
    default:
      return { type: 'string' };
  }
}

function isOurLimit(max: number | undefined): boolean {
  return max !== undefined && max < Number.MAX_SAFE_INTEGER;
}

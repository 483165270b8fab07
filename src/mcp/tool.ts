import type { Action } from '../engine/authorize.ts';
import { escapeHiddenInJson } from '../model/hidden-characters.ts';
import type { Field, Fields } from '../verbs/field.ts';
import type { JsonShape, Shape, Shapes, ToolAnswer, ToolOffer, VerbContext } from '../verbs/verb.ts';
import { cleanJson, exposeJson } from './clean-text.ts';
import { readArguments } from './read-arguments.ts';

export type { ToolAnswer, VerbContext as ToolContext } from '../verbs/verb.ts';

type ObjectSchema = JsonShape & { type: 'object' };
export type Arguments = Readonly<Record<string, unknown>>;

export interface Tool {
  readonly name: string;
  /** The right a caller needs; checked before the call. */
  readonly action: Action;
  /** Tells how far it has come, to whoever asks. */
  readonly reportsProgress?: boolean | undefined;
  /** Every argument that is understood. */
  readonly fields: Fields;
  /** What the text of an error begins with; absent: its code. */
  readonly errorWord?: string;
  describe(): ToolDescription;
  /** With arguments as `fields` leave them. */
  run(context: VerbContext, args: Arguments): Promise<ToolAnswer>;
  /** With arguments as they were sent. */
  call(context: VerbContext, rawArguments: unknown): Promise<ToolAnswer>;
}

export interface ToolDescription {
  [key: string]: unknown;
  name: string;
  title: string;
  description: string;
  inputSchema: ObjectSchema;
  outputSchema: ObjectSchema;
  annotations: { readOnlyHint?: boolean; destructiveHint?: boolean; idempotentHint?: boolean; openWorldHint: boolean };
}

type Told = 'name' | 'title' | 'text' | 'destructive' | 'idempotent' | 'alwaysLoad' | 'output';

interface ToolTraits extends Pick<ToolOffer<never, never>, Told> {
  action: Action;
  writes?: boolean;
  reportsProgress?: boolean;
}

interface ToolDefinition<Args> extends ToolTraits {
  /** Arguments that `tools/list` shows, in this order, each with what is said about it. */
  listed?: Fields;
  /** Arguments that are understood but not shown. */
  unlisted?: Fields;
  /** How arguments are shown whose type says too little. */
  shapes?: Readonly<Record<string, JsonShape>>;
  run(context: VerbContext, args: Args): Promise<ToolAnswer>;
}

/** A tool in the words of another system, which is no verb of ours. */
export function defineTool<Args extends object>(definition: ToolDefinition<Args>): Tool {
  const { listed = {}, unlisted, shapes = {}, run } = definition;
  const shown = Object.fromEntries(
    Object.entries(listed).map(([name, { about = '' }]) => [name, shapes[name] ?? about]),
  );
  return makeTool(definition, {
    fields: unlisted === undefined ? listed : { ...listed, ...unlisted },
    shown,
    run: (context, args) => run(context, args as Args),
  });
}

interface ToolWorks extends Pick<Tool, 'fields' | 'run'> {
  shown: Readonly<Record<string, string | JsonShape>>;
}

export function makeTool(traits: ToolTraits, { fields, shown, run }: ToolWorks): Tool {
  const { name, title, text, action, output, alwaysLoad, reportsProgress } = traits;
  return {
    name,
    action,
    reportsProgress,
    fields,
    describe: () => ({
      name,
      title,
      description: text,
      inputSchema: describeFields(fields, shown),
      outputSchema: describeShapes(output),
      annotations: annotate(traits),
      ...(alwaysLoad === true && { _meta: { 'anthropic/alwaysLoad': true } }),
    }),
    run,
    call: (context, rawArguments) => run(context, readArguments(fields, rawArguments)),
  };
}

function annotate({ action, writes = action !== 'read', destructive, idempotent }: ToolTraits) {
  if (!writes) return { readOnlyHint: true, openWorldHint: false };
  return {
    destructiveHint: destructive === true,
    ...(idempotent === true && { idempotentHint: true }),
    openWorldHint: false,
  };
}

/** For clients that read the text as JSON. */
export function jsonAnswer(answer: Record<string, unknown>, { isWhole = false } = {}): ToolAnswer {
  const structured = (isWhole ? exposeJson : cleanJson)(answer) as Record<string, unknown>;
  return { structured, isWhole, text: escapeHiddenInJson(JSON.stringify(structured)) };
}

/** What `tools/list` shows of arguments: as little as a model needs. */
function describeFields(fields: Fields, shown: Readonly<Record<string, string | JsonShape>>): ObjectSchema {
  const names = Object.keys(shown);
  const required = names.filter((name) => fields[name]?.isRequired === true);
  const properties = Object.fromEntries(
    names.map((name) => {
      const said = shown[name]!;
      if (typeof said !== 'string') return [name, said];
      return [name, { ...(said !== '' && { description: said }), ...describeField(fields[name]!) }];
    }),
  );
  return { type: 'object', ...(names.length > 0 && { properties }), ...(required.length > 0 && { required }) };
}

/** The same of answers. */
function describeShapes(shapes: Shapes): ObjectSchema {
  const properties = Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, describeShape(shape)]));
  return { type: 'object', properties };
}

function describeShape(shape: Shape): JsonShape {
  if (typeof shape === 'string')
    return shape.includes('|') ? { type: 'string', enum: shape.split('|') } : { type: shape };
  return isList(shape) ? { type: 'array', items: describeShape(shape[0]) } : describeShapes(shape);
}

function isList(shape: readonly [Shape] | Shapes): shape is readonly [Shape] {
  return Array.isArray(shape);
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

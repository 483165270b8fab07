import type { Action } from '../engine/authorize.ts';
import type { Fields } from '../verbs/field.ts';
import type { JsonShape, ToolAnswer, VerbContext } from '../verbs/verb.ts';
import { readArguments } from './read-arguments.ts';
import { describeFields } from './verb-tool.ts';

export type { ToolAnswer, VerbContext as ToolContext } from '../verbs/verb.ts';
export type ObjectSchema = JsonShape & { type: 'object' };

export interface Tool {
  readonly name: string;
  /** The right a caller needs; checked before the call. */
  readonly action: Action;
  /** Every argument that is understood. */
  readonly fields: Fields;
  describe(): ToolDescription;
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

interface ToolDefinition<Args> {
  name: string;
  title: string;
  /** Short: every client pays for it in every conversation. */
  text: string;
  action: Action;
  destructive?: true;
  idempotent?: true;
  fields: Fields;
  /** Arguments that `tools/list` shows, each with what is said of it. */
  shown: Readonly<Record<string, string | JsonShape>>;
  output: Readonly<Record<string, JsonShape>>;
  /** What `fields` leave of the arguments. */
  run(context: VerbContext, args: Args): Promise<ToolAnswer>;
}

/** A tool in the words of another system, which is no verb of ours. */
export function defineTool<Args extends object>(definition: ToolDefinition<Args>): Tool {
  const { name, title, text, action, fields, shown, output } = definition;
  return {
    name,
    action,
    fields,
    describe: () => ({
      name,
      title,
      description: text,
      inputSchema: describeFields(fields, shown),
      outputSchema: { type: 'object', properties: output },
      annotations: annotate(action !== 'read', definition),
    }),
    call: (context, rawArguments) => definition.run(context, readArguments(fields, rawArguments) as Args),
  };
}

export function annotate(
  writes: boolean,
  { destructive, idempotent }: { destructive?: true; idempotent?: true },
): ToolDescription['annotations'] {
  if (!writes) return { readOnlyHint: true, openWorldHint: false };
  return {
    destructiveHint: destructive === true,
    ...(idempotent === true && { idempotentHint: true }),
    openWorldHint: false,
  };
}

import * as z from 'zod';
import type { Action } from '../engine/authorize.ts';
import type { Engine } from '../engine/engine.ts';
import type { Caller } from '../model/caller.ts';
import type { Instant } from '../model/ids.ts';
import { inputSchema, type ObjectSchema, outputSchema, showOnly } from './portable-schema.ts';
import { readArguments } from './read-arguments.ts';

export interface ToolContext {
  engine: Engine;
  caller: Caller;
  now: Instant;
}

/** What a tool has to say, complete; the text is made from it unless the tool's form demands its own. */
export interface ToolAnswer {
  structured: Record<string, unknown>;
  /** The call did not do what it was asked for; the structured part says why under `error`. */
  isError?: boolean;
  text?: string;
}

interface ToolDefinition<Listed extends z.ZodRawShape, Unlisted extends z.ZodRawShape> {
  name: string;
  title: string;
  /** Short: every client pays for it in every conversation. */
  description: string;
  /** The scope a caller needs; checked before `run`. */
  action: Action;
  /** Whether it may change or remove what is there (not merely add), and whether a second identical call changes nothing more. */
  destructive?: boolean;
  idempotent?: boolean;
  /** Shown to the model at once by clients that otherwise load tools on demand. */
  alwaysLoad?: boolean;
  /** Arguments that tools/list shows. */
  listed: Listed;
  /** Arguments that are understood but not shown: other systems' names for the same things. */
  unlisted: Unlisted;
  /** Nothing is required in it: an error is a valid answer too, and clients check errors against it. */
  output: z.ZodRawShape;
  run(context: ToolContext, args: z.output<z.ZodObject<Listed & Unlisted>>): Promise<ToolAnswer>;
}

export interface Tool {
  readonly name: string;
  readonly action: Action;
  /** `shown`: arguments to show instead of the usual ones. */
  describe(shown?: readonly string[]): ToolDescription;
  call(context: ToolContext, rawArguments: unknown): Promise<ToolAnswer>;
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

export function defineTool<Listed extends z.ZodRawShape, Unlisted extends z.ZodRawShape>(
  definition: ToolDefinition<Listed, Unlisted>,
): Tool {
  const { name, title, description, action, listed, unlisted } = definition;
  const accepted = z.strictObject<Listed & Unlisted>({ ...listed, ...unlisted });
  return {
    name,
    action,
    describe: (shown) => ({
      name,
      title,
      description,
      inputSchema: shown === undefined ? inputSchema(z.object(listed)) : showOnly(inputSchema(accepted), shown),
      outputSchema: outputSchema(z.object(definition.output)),
      annotations: annotate(definition),
      ...(definition.alwaysLoad === true && { _meta: { 'anthropic/alwaysLoad': true } }),
    }),
    call: (context, rawArguments) => definition.run(context, readArguments(accepted, rawArguments)),
  };
}

function annotate(definition: {
  action: Action;
  destructive?: boolean;
  idempotent?: boolean;
}): ToolDescription['annotations'] {
  if (definition.action === 'read') return { readOnlyHint: true, openWorldHint: false };
  return {
    destructiveHint: definition.destructive === true,
    ...(definition.idempotent === true && { idempotentHint: true }),
    openWorldHint: false,
  };
}

import type * as z from 'zod';
import { EngineError } from '../../../model/errors.ts';
import { cleanText } from '../../clean-text.ts';
import { defineTool, type Tool, type ToolAnswer, type ToolContext } from '../../tool.ts';

interface PacketTool<Listed extends z.ZodRawShape> {
  name: string;
  title: string;
  description: string;
  action: 'read' | 'write';
  destructive?: boolean;
  idempotent?: boolean;
  listed: Listed;
  output: z.ZodRawShape;
  run(context: ToolContext, args: z.output<z.ZodObject<Listed>>): Promise<ToolAnswer>;
}

/** A tool of the packet protocol: its failures are texts that begin with "error:". */
export function definePacketTool<Listed extends z.ZodRawShape>(definition: PacketTool<Listed>): Tool {
  const tool = defineTool<Listed, Record<never, never>>({
    ...definition,
    unlisted: {},
    run: (context, args) => definition.run(context, args as never),
  });
  return {
    ...tool,
    async call(context, rawArguments) {
      try {
        return await tool.call(context, rawArguments);
      } catch (error) {
        if (!(error instanceof EngineError) || error.code === 'internal') throw error;
        return failure(error);
      }
    },
  };
}

export function failure({ code, message, hint, details }: EngineError): ToolAnswer {
  const text = cleanText(`error: ${message}${hint === undefined ? '' : `\n${hint}`}`);
  return { isError: true, text, structured: { error: { code, message, hint: hint ?? '', details } } };
}

import { cleanText } from '../../mcp/clean-text.ts';
import { defineTool, type Tool, type ToolAnswer } from '../../mcp/tool.ts';
import { EngineError } from '../../model/errors.ts';

/** A tool of the packet protocol: its failures are texts that begin with "error:". */
export function definePacketTool<Args extends object>(definition: Parameters<typeof defineTool<Args>>[0]): Tool {
  const tool = defineTool(definition);
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

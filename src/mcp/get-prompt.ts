import { type GetPromptResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Log } from '../engine/ports.ts';
import type { Opened } from './access.ts';
import { toEngineError } from './error-result.ts';
import type { Prompt, PromptArguments } from './prompt.ts';

export async function getPrompt(
  prompt: Prompt | undefined,
  { name, arguments: args = {} }: { name: string; arguments?: PromptArguments | undefined },
  open: () => Promise<Opened>,
  log: Log,
): Promise<GetPromptResult> {
  if (prompt === undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${name.slice(0, 100)}.`);
  const absent = prompt.arguments.find(({ name: given, required }) => required && !args[given]);
  if (absent !== undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The prompt ${name} needs the argument ${absent.name}.`);
  try {
    return {
      description: prompt.description,
      messages: [{ role: 'user', content: { type: 'text', text: await prompt.write(args, open) } }],
    };
  } catch (error) {
    const known = toEngineError(error, log);
    throw new ProtocolError(
      known.code === 'internal' ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams,
      `${known.code}: ${known.message}`,
    );
  }
}

import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { authorize } from '../engine/authorize.ts';
import type { Log } from '../engine/ports.ts';
import { nearestName } from '../model/nearest-name.ts';
import type { Opened } from './access.ts';
import { cleanJson } from './clean-text.ts';
import { errorResult, toEngineError } from './error-result.ts';
import { renderText } from './render-text.ts';
import type { ToolTable } from './tool-table.ts';

interface ToolCall {
  name: string;
  arguments?: Record<string, unknown> | undefined;
}

/** A call always gets an answer: what goes wrong in it is a result with `isError`; only an unknown tool is a protocol error. */
export async function callTool(
  call: ToolCall,
  open: () => Promise<Opened>,
  { tools, log }: { tools: ToolTable; log: Log },
): Promise<CallToolResult> {
  const tool = tools.find(call.name);
  if (tool === undefined) throw unknownTool(call.name, tools);
  try {
    const { engine, caller } = await open();
    authorize(caller, tool.action, caller.space);
    const answer = await tool.call({ engine, caller, now: Date.now(), timeZone: ownZone() }, call.arguments);
    const structuredContent = cleanJson(withoutUndefined(answer.structured)) as Record<string, unknown>;
    return {
      content: [{ type: 'text', text: answer.text ?? renderText(structuredContent) }],
      structuredContent,
      ...(answer.isError === true && { isError: true }),
    };
  } catch (error) {
    return errorResult(toEngineError(error, log));
  }
}

/** For callers who name none: that of this machine. */
function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** As it will look on the wire. */
function withoutUndefined(value: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
}

function unknownTool(name: string, { tools }: ToolTable): ProtocolError {
  const nearest = nearestName(
    name,
    tools.map((tool) => tool.name),
  );
  const advice = nearest === null ? '' : ` Did you mean ${nearest}?`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, 100)}.${advice}`);
}

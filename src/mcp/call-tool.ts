import {
  type CallToolRequest,
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { authorize } from '../engine/authorize.ts';
import type { Log } from '../engine/ports.ts';
import { nearestName } from '../model/nearest-name.ts';
import type { Opened } from './access.ts';
import { cleanJson } from './clean-text.ts';
import { errorResult, toEngineError } from './error-result.ts';
import { renderText } from './render-text.ts';
import type { ToolTable } from './tool-table.ts';

/** A call always gets an answer: what goes wrong in it is a result with `isError`; only an unknown tool is a protocol error. */
export async function callTool(
  call: CallToolRequest['params'],
  open: () => Promise<Opened>,
  { tools, log }: { tools: ToolTable; log: Log },
): Promise<CallToolResult> {
  const tool = tools.find(call.name);
  if (tool === undefined) throw unknownTool(call.name, tools);
  try {
    const { engine, caller, afterWrite } = await open();
    authorize(caller, tool.action, caller.space);
    const answer = await tool.call({ engine, caller, now: Date.now(), timeZone: findOwnZone() }, call.arguments);
    if (tool.action !== 'read') afterWrite?.();
    // without what is undefined, as it will look on the wire
    const structuredContent = cleanJson(JSON.parse(JSON.stringify(answer.structured))) as Record<string, unknown>;
    return {
      content: [{ type: 'text', text: answer.text ?? renderText(structuredContent) }],
      structuredContent,
      ...(answer.isError === true && { isError: true }),
    };
  } catch (error) {
    return errorResult(toEngineError(error, log));
  }
}

let ownZone: string | null = null;

/** For callers who name none: that of this machine. Asked once, since the answer takes a tenth of a millisecond. */
function findOwnZone(): string {
  ownZone ??= Intl.DateTimeFormat().resolvedOptions().timeZone;
  return ownZone;
}

function unknownTool(name: string, { tools }: ToolTable): ProtocolError {
  const known = tools.map((tool) => tool.name);
  const nearest = nearestName(name, known);
  const advice = nearest === null ? '' : ` Did you mean ${nearest}?`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, 100)}.${advice}`);
}

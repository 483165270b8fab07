import {
  type CallToolRequest,
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { authorize } from '../engine/authorize.ts';
import type { Log } from '../engine/ports.ts';
import { SYSTEM_ZONE } from '../engine/time/time-span.ts';
import { nearestName } from '../model/nearest-name.ts';
import type { Opened } from './access.ts';
import { cleanJson, exposeJson } from './clean-text.ts';
import { errorResult, toEngineError } from './error-result.ts';
import { renderText } from './render-text.ts';
import type { ToolAnswer } from './tool.ts';
import type { ToolTable } from './tool-table.ts';

/** A call always gets an answer: what goes wrong in it is a result with `isError`; only an unknown tool is a protocol error. */
export async function callTool(
  call: CallToolRequest['params'],
  open: () => Promise<Opened>,
  { tools, log, families }: { tools: ToolTable; log: Log; families?: readonly string[] | undefined },
): Promise<CallToolResult> {
  const tool = tools.find(call.name, families);
  if (tool === undefined) throw unknownTool(call.name, tools);
  try {
    const { engine, caller, afterWrite } = await open();
    authorize(caller, tool.action, caller.space);
    const answer = await tool.call({ engine, caller, now: Date.now(), timeZone: SYSTEM_ZONE }, call.arguments);
    if (tool.action !== 'read') afterWrite?.();
    return renderAnswer(answer);
  } catch (error) {
    return errorResult(toEngineError(error, log));
  }
}

/** What every tool of every family answers goes through here: texts that were asked for by name as they are stored, all others cleaned. */
function renderAnswer({ structured, text, note, isWhole, isError }: ToolAnswer): CallToolResult {
  const show = isWhole === true ? exposeJson : cleanJson;
  // without what is undefined, as it will look on the wire
  const structuredContent = show(JSON.parse(JSON.stringify(structured))) as Record<string, unknown>;
  const texts = [text ?? renderText(structuredContent), ...(note === undefined ? [] : [note])];
  return {
    content: texts.map((block) => ({ type: 'text', text: block })),
    structuredContent,
    ...(isError === true && { isError: true }),
  };
}

function unknownTool(name: string, { tools }: ToolTable): ProtocolError {
  const known = tools.map((tool) => tool.name);
  const nearest = nearestName(name, known);
  const advice = nearest === null ? '' : ` Did you mean ${nearest}?`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, 100)}.${advice}`);
}

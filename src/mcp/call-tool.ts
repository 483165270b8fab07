import {
  type CallToolRequest,
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { authorize } from '../engine/authorize.ts';
import type { Log } from '../engine/ports.ts';
import { SYSTEM_ZONE } from '../engine/time/time-span.ts';
import type { Caller } from '../model/caller.ts';
import { nearestName } from '../model/nearest-name.ts';
import type { CallSession, OnProgress } from '../verbs/verb.ts';
import type { Opened } from './access.ts';
import { cleanJson, exposeJson } from './clean-text.ts';
import { errorResult, toEngineError } from './error-result.ts';
import { renderText } from './render-text.ts';
import type { ToolAnswer } from './tool.ts';
import type { ToolTable } from './tool-table.ts';

interface CallOptions {
  tools: ToolTable;
  log: Log;
  families?: readonly string[] | undefined;
  session?: CallSession;
  /** Absent: the client has not asked to be told. */
  onProgress?: OnProgress | undefined;
}

/** A call always gets an answer: what goes wrong in it is a result with `isError`; only an unknown tool is a protocol error. */
export async function callTool(
  call: CallToolRequest['params'],
  open: () => Promise<Opened>,
  { tools, log, families, session, onProgress }: CallOptions,
): Promise<CallToolResult> {
  const tool = tools.find(call.name, families);
  if (tool === undefined) throw unknownTool(call.name, tools);
  try {
    const { engine, caller: proved, afterWrite } = await open();
    const caller = bind(proved, session);
    authorize(caller, tool.action, caller.space);
    const told = { ...(session && { session }), ...(onProgress && { onProgress }) };
    const context = { engine, caller, now: Date.now(), timeZone: SYSTEM_ZONE, ...told };
    const answer = await tool.call(context, call.arguments);
    if (tool.action !== 'read') afterWrite?.();
    return renderAnswer(answer);
  } catch (error) {
    return errorResult(toEngineError(error, log), tool.errorWord);
  }
}

/** What the credential or the address says of the workspace comes before what the session was bound to. */
function bind(caller: Caller, session: CallSession | undefined): Caller {
  if (session?.workspace == null || caller.workspace !== undefined) return caller;
  return { ...caller, workspace: session.workspace };
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

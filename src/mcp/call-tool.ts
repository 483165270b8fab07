import type { CallToolResult } from '@modelcontextprotocol/server';
import { authorize } from '../engine/authorize.ts';
import type { Log } from '../engine/ports.ts';
import { SYSTEM_ZONE } from '../engine/time/time-span.ts';
import type { Caller } from '../model/caller.ts';
import type { CallSession, OnProgress } from '../verbs/verb.ts';
import type { Opened } from './access.ts';
import { cleanJson, exposeJson } from './clean-text.ts';
import { errorResult, toEngineError } from './error-result.ts';
import { renderText } from './render-text.ts';
import type { Tool, ToolAnswer } from './tool.ts';

interface CallOptions {
  open(): Promise<Opened>;
  log: Log;
  session?: CallSession;
  /** Absent: the client has not asked to be told. */
  onProgress?: OnProgress | undefined;
}

/** A call always gets an answer: what goes wrong in it is a result with `isError`. */
export async function callTool(
  tool: Tool,
  args: Record<string, unknown> | undefined,
  { open, log, session, onProgress }: CallOptions,
): Promise<CallToolResult> {
  try {
    const { engine, caller: proved, afterWrite } = await open();
    const caller = bind(proved, session);
    authorize(caller, tool.action, caller.space);
    const told = { ...(session && { session }), ...(onProgress && { onProgress }) };
    const context = { engine, caller, now: Date.now(), timeZone: SYSTEM_ZONE, ...told };
    const answer = await tool.call(context, args);
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
  const structuredContent = show(structured) as Record<string, unknown>;
  const texts = [text ?? renderText(structuredContent), ...(note === undefined ? [] : [note])];
  return {
    content: texts.map((block) => ({ type: 'text', text: block })),
    structuredContent,
    ...(isError === true && { isError: true }),
  };
}

import { type AgentName, guessAgent, isAgent, isEditor, toEventName } from '../../../agents/hooks.ts';
import type { Json, JsonObject } from '../../../model/json.ts';
import { isObject, parseJson } from '../../../model/json-text.ts';
import { readAgentTime } from '../../../model/read-exact-time.ts';
import type { SessionEventName } from '../../../model/session-event.ts';

/** What an agent's hook said, in one form for all agents; nothing of it has been screened. */
export interface Payload {
  agent: AgentName;
  event: SessionEventName;
  /** As the agent calls it. */
  hook: string;
  session: string | null;
  directory: string | null;
  text: string | null;
  tool: {
    name: string;
    input: JsonObject;
    response: unknown;
    failed: boolean;
    durationMs?: number;
    server?: string;
  } | null;
  /** The agent's own id of a use of a tool. */
  useId: string | null;
  /** What tells this event from another with the same words: ids and times that the agent gave it. */
  marks: readonly string[];
  transcript: string | null;
  reason: string | null;
  /** When it happened, where the agent says so. */
  at: number | null;
  /** Not all of it came. */
  isCut?: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** Words of the command line, then what stdin says. null: an event that is none of ours. */
export function readPayload(fields: Fields, words: readonly string[] = []): Payload | null {
  const named = words.find((word) => isAgent(word)) ?? firstText(fields, ['agent']);
  const guessed = guessAgent(fields);
  const agent = named !== null && isAgent(named) && !isEditor(guessed) ? named : guessed;
  const hook =
    firstText(fields, ['hook_event_name', 'hookEventName', 'agent_action_name', 'event']) ??
    words.find((word) => toEventName(word) !== null) ??
    '';
  const event = toEventName(hook);
  if (event === null) return null;
  const body: Fields = { ...fields, ...readObject(fields.tool_info) };
  return {
    agent,
    event,
    hook,
    session: firstText(fields, ['session_id', 'sessionId', 'conversation_id', 'trajectory_id', 'sessionID']),
    directory: pathOrNull(firstText(body, ['cwd', 'directory', 'workspace']) ?? firstOf(fields.workspace_roots)),
    text: readText(body, event),
    tool: event === 'tool' ? readTool(body) : null,
    useId: firstText(body, ['tool_use_id', 'toolUseId', 'tool_call_id', 'call_id', 'callID']),
    marks: [
      'prompt_id',
      'turn_id',
      'generation_id',
      'message_id',
      'messageID',
      'execution_id',
      'timestamp',
      'agent_id',
    ].flatMap((name) => (isSaid(fields[name]) ? [`${name}=${String(fields[name])}`] : [])),
    transcript: firstText(fields, ['transcript_path', 'transcriptPath']),
    reason: firstText(fields, ['source', 'reason', 'trigger', 'status']),
    at: readTime(fields.timestamp),
  };
}

/** Milliseconds, or as ISO 8601 writes it. */
function readTime(value: unknown): number | null {
  const time = readAgentTime(value);
  return time !== null && time > 0 ? time : null;
}

function isSaid(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}

function firstText(fields: Fields, names: readonly string[]): string | null {
  for (const name of names) if (isSaid(fields[name])) return String(fields[name]);
  return null;
}

/** No system opens a longer one. */
const LONGEST_PATH = 4096;

function pathOrNull(path: string | null): string | null {
  return path === null || path.length > LONGEST_PATH ? null : path;
}

function firstOf(value: unknown): string | null {
  return Array.isArray(value) && typeof value[0] === 'string' ? value[0] : null;
}

const TEXTS: Readonly<Partial<Record<SessionEventName, readonly string[]>>> = {
  prompt: ['prompt', 'message', 'text', 'user_prompt'],
  turn: ['last_assistant_message', 'prompt_response', 'response', 'text'],
  compact: ['compact_summary', 'summary'],
};

function readText(fields: Fields, event: SessionEventName): string | null {
  return firstText(fields, TEXTS[event] ?? []);
}

/** Longer names say no more. */
const LONGEST_NAME = 512;

function readTool(fields: Fields): Payload['tool'] {
  const input = readInput(first(fields, ['tool_input', 'toolArgs', 'input', 'mcp_tool_arguments']), fields);
  const response = readResponse(fields);
  const server = serverOf(fields);
  const name =
    firstText(fields, ['tool_name', 'toolName', 'tool', 'mcp_tool_name']) ??
    (fields.command !== undefined || fields.command_line !== undefined
      ? 'Shell'
      : fields.edits === undefined
        ? 'unknown'
        : 'Edit');
  const duration = first(fields, ['duration_ms', 'duration', 'durationMs']);
  return {
    name: name.slice(0, LONGEST_NAME),
    input,
    response,
    failed: hasFailed(fields, response),
    ...(typeof duration === 'number' && { durationMs: duration }),
    ...(server !== null && { server: server.slice(0, LONGEST_NAME) }),
  };
}

function first(fields: Fields, names: readonly string[]): unknown {
  return names.map((name) => fields[name]).find((value) => value !== undefined);
}

/** Where a tool has no input of its own, what the event says of it: a command, a path, its changes. */
function readInput(given: unknown, fields: Fields): JsonObject {
  const value = typeof given === 'string' ? (parseObject(given) ?? { input: given }) : given;
  const object = readObject(value);
  if (object !== null) return object as JsonObject;
  const names = ['command', 'command_line', 'file_path', 'edits', 'cwd'];
  const said = names.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name] as Json]);
  return value === undefined || value === null ? Object.fromEntries(said) : { input: value as Json };
}

function readResponse(fields: Fields): unknown {
  const value = first(fields, [
    'tool_response',
    'tool_output',
    'toolResult',
    'output',
    'result_json',
    'mcp_result',
    'error_message',
  ]);
  // Cursor says it as JSON in a text.
  return typeof value === 'string' && /^\s*[{[]/.test(value) ? (parseObject(value) ?? value) : value;
}

function hasFailed(fields: Fields, response: unknown): boolean {
  if (/failure/i.test(String(fields.hook_event_name ?? '')) || isSaid(fields.error_message)) return true;
  const said = readObject(response);
  if (said === null) return false;
  const code = said.exit_code ?? said.exitCode ?? readObject(said.metadata)?.exit_code;
  return (
    said.is_error === true ||
    said.isError === true ||
    said.success === false ||
    said.interrupted === true ||
    said.resultType === 'failure' ||
    (typeof code === 'number' && code !== 0) ||
    (isSaid(said.error) && said.error !== '')
  );
}

function serverOf(fields: Fields): string | null {
  const named =
    readObject(fields.mcp_server)?.name ?? readObject(fields.mcp_context)?.server_name ?? fields.mcp_server_name;
  return isSaid(named) ? String(named) : null;
}

function readObject(value: unknown): Record<string, unknown> | null {
  return isObject(value) ? value : null;
}

/** A text that is JSON of an object or a list. */
function parseObject(text: string): Json | null {
  const value = parseJson(text);
  return typeof value === 'object' ? (value as Json) : null;
}

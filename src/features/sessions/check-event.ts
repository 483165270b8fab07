import { cleanName } from '../../model/hidden-characters.ts';
import { LAST_INSTANT } from '../../model/instant.ts';
import { isPromptNumber, SESSION_EVENTS, type SessionEvent } from '../../model/session-event.ts';

const MAX_LABEL_CHARS = 200;
const MAX_KEY_CHARS = 500;
/** What a hook hands over of one text; longer ones were cut where they came from. */
const MAX_TEXT_CHARS = 1_000_000;

/** Why an event cannot be taken in; null: it can. Nothing about it is believed: a line of a file may say anything. */
export function findEventFault(event: SessionEvent): string | null {
  if (event === null || typeof event !== 'object') return 'is not an object';
  const { key, event: name, at, agent, session, project, directory, text, tool, prompt } = event;
  if (typeof key !== 'string' || key === '' || key.length > MAX_KEY_CHARS)
    return `has no key of 1 to ${MAX_KEY_CHARS} characters`;
  if (!SESSION_EVENTS.includes(name)) return `is none of ${SESSION_EVENTS.join(', ')}`;
  if (!Number.isSafeInteger(at) || at < 0 || at > LAST_INSTANT) return 'has no time in milliseconds since 1970';
  if (!isLabel(agent)) return 'does not name its agent';
  if (!isLabel(session)) return 'does not name its session';
  if (project !== null && project !== undefined && !isLabel(project)) return 'has a project that is no name';
  if (directory !== null && directory !== undefined && typeof directory !== 'string')
    return 'has a directory that is no text';
  if (text !== undefined && typeof text !== 'string') return 'has a text that is none';
  if (prompt !== undefined && !isPromptNumber(prompt)) return 'has a prompt that is no number of one';
  if (tool !== undefined && !isToolUse(tool)) return 'has a tool without name, input or output';
  if (name === 'tool' && tool === undefined) return 'names no tool';
  if ((text?.length ?? 0) > MAX_TEXT_CHARS || (tool?.output.length ?? 0) > MAX_TEXT_CHARS)
    return `holds a text of more than ${MAX_TEXT_CHARS} characters`;
  return null;
}

function isLabel(value: unknown): boolean {
  return typeof value === 'string' && cleanName(value) !== '' && value.length <= MAX_LABEL_CHARS;
}

function isToolUse({ name, input, output }: NonNullable<SessionEvent['tool']>): boolean {
  return isLabel(name) && typeof input === 'object' && input !== null && typeof output === 'string';
}

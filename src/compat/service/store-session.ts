import { randomUUID } from 'node:crypto';
import type { Memory } from '../../features/memories/memory.ts';
import { EngineError } from '../../model/errors.ts';
import type { JsonObject } from '../../model/json.ts';
import { isObject, parseJson } from '../../model/json-text.ts';
import { splitTags, type TagsInput } from '../../model/tags.ts';
import type { VerbContext } from '../../verbs/verb.ts';
import type { ServiceSettings } from './service-settings.ts';
import { storeInService } from './store-in-service.ts';

interface Turn {
  role: string;
  content: string;
}

/** Throws where it is not a list of turns; what else a turn carries is left alone. */
export function readTurns(given: unknown): Turn[] {
  const list: unknown = typeof given === 'string' ? parseJson(given) : given;
  const wrong = (message: string): EngineError =>
    new EngineError('invalid_input', `turns ${message}.`, { details: { field: 'turns' } });
  if (!Array.isArray(list) || list.length === 0) throw wrong('must be a list of at least one {role, content}');
  return list.map((turn: unknown, at) => {
    if (!isObject(turn) || typeof turn.role !== 'string' || typeof turn.content !== 'string')
      throw wrong(`[${at}] must have role and content, both text`);
    return { role: turn.role, content: turn.content };
  });
}

interface SessionGiven {
  turns: readonly Turn[];
  sessionId?: string | undefined;
  tags?: TagsInput;
  metadata?: JsonObject | undefined;
  agent?: string | undefined;
  project?: string | undefined;
}

interface StoredSession {
  sessionId: string;
  turns: number;
  /** In how many parts it was to be stored. */
  parts: number;
  memories: Memory[];
  /** Why not all of it could be stored. */
  refusal: string | null;
}

/** A conversation as one memory, or as parts of whole turns where it is longer than `maxChars`. Stops at the first part that is refused. */
export async function storeSession(
  context: VerbContext,
  settings: ServiceSettings,
  { turns, sessionId = randomUUID(), tags, metadata, agent, project }: SessionGiven,
  maxChars = settings.sessionChunkChars,
): Promise<StoredSession> {
  const lines = turns.filter(({ content }) => content.trim() !== '').map(({ role, content }) => `[${role}] ${content}`);
  if (lines.length === 0)
    throw new EngineError('invalid_input', 'turns: every turn is empty.', { details: { field: 'turns' } });
  const parts = packLines(lines, maxChars);
  const memories: Memory[] = [];
  const report = (refusal: string | null): StoredSession => ({
    sessionId,
    turns: lines.length,
    parts: parts.length,
    memories,
    refusal,
  });
  for (const [at, content] of parts.entries()) {
    const numbered = parts.length > 1 ? [`chunk:${at + 1}/${parts.length}`] : [];
    const stored = await storeInService(context, settings, {
      content,
      type: 'session',
      session: sessionId,
      agent,
      project,
      metadata: metadata ?? {},
      tags: [`session:${sessionId}`, ...splitTags(tags), ...numbered],
    });
    if (stored.outcome === 'refused') return report(stored.reason);
    memories.push(stored.memory);
  }
  return report(null);
}

/** Never in the middle of a turn: one that is too long is a part of its own. */
function packLines(lines: readonly string[], maxChars: number): string[] {
  if (maxChars === 0 || lines.join('\n').length <= maxChars) return [lines.join('\n')];
  const parts: string[] = [];
  for (const line of lines) {
    const last = parts.at(-1);
    if (last !== undefined && last.length + 1 + line.length <= maxChars) parts[parts.length - 1] = `${last}\n${line}`;
    else parts.push(line);
  }
  return parts;
}

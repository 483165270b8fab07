import { DatabaseSync } from 'node:sqlite';
import { readAgentTime } from '../../model/read-exact-time.ts';
import { asFields, asText, type Said, type Transcript, type TranscriptFile } from '../agent-transcript.ts';
import { cleanSaid } from '../clean-said.ts';

/** OpenCode keeps all sessions in one database, which is only ever read here. */
export function listOpenCodeSessions(path: string): TranscriptFile[] {
  return withDatabase(path, (database) =>
    database
      .prepare('SELECT id, time_updated FROM session WHERE parent_id IS NULL')
      .all()
      .map(({ id, time_updated }) => ({
        agent: 'opencode' as const,
        path,
        session: String(id),
        changedAt: readAgentTime(time_updated) ?? 0,
      })),
  );
}

export function readOpenCode(path: string, session: string): Transcript {
  return withDatabase(path, (database) => {
    const found = database.prepare('SELECT directory FROM session WHERE id = ?').get(session);
    const rows = database
      .prepare(
        `SELECT part.id, part.data, message.data AS message, message.time_created AS at
         FROM part JOIN message ON message.id = part.message_id
         WHERE part.session_id = ? ORDER BY message.time_created, message.id, part.id`,
      )
      .all(session);
    const said = rows.map(readPart).filter((one): one is Said | null => one !== undefined);
    return {
      agent: 'opencode',
      session,
      directory: asText(found?.directory),
      said: said.filter((one) => one !== null),
      unreadable: said.filter((one) => one === null).length,
    };
  });
}

/** null: not to be read; undefined: nothing that was said. */
function readPart({ id, data, message, at }: Record<string, unknown>): Said | null | undefined {
  try {
    const { role } = asFields(JSON.parse(String(message)));
    const part = asFields(JSON.parse(String(data)));
    if (part.type !== 'text' || part.synthetic === true || part.ignored === true) return undefined;
    const text = cleanSaid(asText(part.text) ?? '');
    if (text === '' || (role !== 'user' && role !== 'assistant')) return undefined;
    return { id: String(id), by: role === 'user' ? 'user' : 'agent', text, at: readAgentTime(at) };
  } catch {
    return null; // of another format: counted by whoever reads
  }
}

function withDatabase<T>(path: string, read: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return read(database);
  } finally {
    database.close();
  }
}

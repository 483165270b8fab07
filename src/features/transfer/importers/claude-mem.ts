import { readForeignTime } from '../../../model/read-exact-time.ts';
import { withForeign } from './foreign-database.ts';
import { type Imported, type Importer, listOf, textOr } from './imported.ts';

type Row = Readonly<Record<string, unknown>>;

/** claude-mem's database: what its model has written of sessions. What was typed is imported too; queues and raw events are not. */
export const claudeMem: Importer = {
  name: 'claude-mem',
  about: 'claude-mem: ~/.claude-mem/claude-mem.db',
  recognise: ({ tables }) => tables.has('sdk_sessions') && tables.has('observations'),
  read: ({ path }) =>
    withForeign(path, function* (database) {
      const sessions = new Map<string, Row>();
      for (const row of database.rows('sdk_sessions', 'id')) {
        for (const name of ['memory_session_id', 'sdk_session_id', 'content_session_id', 'claude_session_id'])
          if (typeof row[name] === 'string') sessions.set(row[name], row);
      }
      const projectOf = (session: unknown, row: Row): string | null =>
        textOr(row.project, null) ?? textOr(sessions.get(String(session))?.project, null);
      for (const row of database.rows('observations', 'id')) yield readObservation(row, projectOf);
      for (const row of database.rows('session_summaries', 'id')) yield readSummary(row, projectOf);
      for (const row of database.rows('user_prompts', 'id')) yield readPrompt(row, projectOf);
    }),
};

type ProjectOf = (session: unknown, row: Row) => string | null;

const sessionOf = (row: Row): string | null =>
  textOr(row.memory_session_id ?? row.sdk_session_id ?? row.content_session_id ?? row.claude_session_id, null);

const joined = (...lines: readonly (string | null)[]): string =>
  lines.filter((line) => line !== null && line !== '').join('\n');
const bullets = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');
const timeIn = (row: Row): number | null => readForeignTime(row.created_at_epoch) ?? readForeignTime(row.created_at);

function readObservation(row: Row, projectOf: ProjectOf): Imported {
  const title = textOr(row.title, null);
  const body = joined(
    title,
    textOr(row.subtitle, null),
    textOr(row.narrative, null) ?? textOr(row.text, null),
    bullets(listOf(row.facts)),
  );
  if (body === '') return { leftOut: `observation ${String(row.id)}`, why: 'it has no text' };
  const files = [...listOf(row.files_modified), ...listOf(row.files_read)];
  return {
    memory: {
      id: `observation/${String(row.id)}`,
      content: files.length === 0 ? body : `${body}\nFiles: ${files.join(', ')}`,
      title,
      type: textOr(row.type, 'observation'),
      tags: listOf(row.concepts),
      project: projectOf(sessionOf(row), row),
      session: sessionOf(row),
      createdAt: timeIn(row),
    },
  };
}

const SUMMARY_PARTS = [
  ['request', 'Asked'],
  ['investigated', 'Investigated'],
  ['learned', 'Learned'],
  ['completed', 'Done'],
  ['next_steps', 'Next'],
  ['notes', 'Notes'],
] as const;

function readSummary(row: Row, projectOf: ProjectOf): Imported {
  const content = joined(
    ...SUMMARY_PARTS.map(([name, word]) => (textOr(row[name], null) === null ? null : `${word}: ${String(row[name])}`)),
  );
  if (content === '') return { leftOut: `summary ${String(row.id)}`, why: 'it has no text' };
  return {
    memory: {
      id: `summary/${String(row.id)}`,
      content,
      title: textOr(row.request, null),
      type: 'session',
      project: projectOf(sessionOf(row), row),
      session: sessionOf(row),
      createdAt: timeIn(row),
    },
  };
}

function readPrompt(row: Row, projectOf: ProjectOf): Imported {
  const content = textOr(row.prompt_text ?? row.prompt, null);
  if (content === null) return { leftOut: `prompt ${String(row.id)}`, why: 'it has no text' };
  return {
    memory: {
      id: `prompt/${String(row.id)}`,
      content,
      type: 'conversation_turn',
      author: 'user',
      project: projectOf(sessionOf(row), row),
      session: sessionOf(row),
      createdAt: timeIn(row),
    },
  };
}

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { JsonObject } from '../../../model/json.ts';
import { readForeignTime } from '../../../model/read-exact-time.ts';
import { isPromptNumber } from '../../../model/session-event.ts';
import { tablesIn, withForeign } from './foreign-database.ts';
import { asRow, type Imported, type Importer, listOf, parseJson, textOr } from './imported.ts';
import { readLongmemSettings } from './longmem-settings.ts';

type Row = Readonly<Record<string, unknown>>;

/** LongMem's database, or its home with the database in it. */
export const longmem: Importer = {
  name: 'longmem',
  about: 'LongMem: ~/.longmem, or its memory.db',
  recognise: ({ path, isFolder, tables }) => {
    const found = isFolder && existsSync(join(path, 'memory.db')) ? tablesIn(join(path, 'memory.db')) : tables;
    return found.get('sessions')?.includes('opencode_session_id') === true;
  },
  readSettings: ({ path, isFolder }) => readLongmemSettings(join(isFolder ? path : dirname(path), 'settings.json')),
  *read({ path, isFolder }) {
    yield* withForeign(isFolder ? join(path, 'memory.db') : path, function* (database) {
      const sessions = new Map([...database.rows('sessions', 'id')].map((row) => [String(row.id), row]));
      const labels = (row: Row): Labels => {
        const session = sessions.get(String(row.session_id));
        return {
          project: textOr(session?.project, null),
          session: textOr(session?.opencode_session_id, 'unknown'),
          directory: textOr(session?.directory, null),
        };
      };
      for (const row of database.rows('observations', 'id')) yield readObservation(row, labels(row));
      for (const row of database.rows('user_prompts', 'id')) yield readPrompt(row, labels(row));
      for (const row of database.rows('user_observations', 'id')) yield readNote(row);
    });
  },
};

interface Labels {
  project: string | null;
  session: string;
  directory: string | null;
}

/** What a model has summarised is worth a memory; all else is what happened, and is found as that. */
function readObservation(row: Row, labels: Labels): Imported {
  const tool = textOr(row.tool_name, 'tool');
  const summary = textOr(row.compressed_summary, null);
  const at = readForeignTime(row.created_at) ?? 0;
  if (summary === null) {
    const input = asRow(parseJson(row.tool_input)) as JsonObject;
    const use = { name: tool, input, output: textOr(row.tool_output, '') };
    return { event: { ...eventOf('tool', row, labels), at, tool: use } };
  }
  const files = listOf(row.files_referenced);
  const { project, session } = labels;
  return {
    memory: {
      project,
      session,
      id: `observation/${String(row.id)}`,
      content: files.length === 0 ? summary : `${summary}\nFiles: ${files.join(', ')}`,
      title: summary,
      type: textOr(row.observation_type, 'observation'),
      tags: [tool, ...listOf(row.concepts)],
      createdAt: at,
    },
  };
}

function readPrompt(row: Row, labels: Labels): Imported {
  const text = textOr(row.prompt, null);
  if (text === null) return { leftOut: `prompt ${String(row.id)}`, why: 'it has no text' };
  return { event: { ...eventOf('prompt', row, labels), at: readForeignTime(row.created_at) ?? 0, text } };
}

function eventOf(event: 'tool' | 'prompt', row: Row, labels: Labels) {
  const about = { ...labels, key: `longmem:${event}:${labels.session}:${String(row.id)}`, event, agent: 'longmem' };
  const prompt = Number(row.prompt_number ?? Number.NaN);
  return isPromptNumber(prompt) ? { ...about, prompt } : about;
}

function readNote(row: Row): Imported {
  const content = textOr(row.content, null);
  if (content === null) return { leftOut: `note ${String(row.id)}`, why: 'it has no text' };
  return {
    memory: {
      id: `note/${String(row.id)}`,
      content,
      type: 'note',
      tags: listOf(row.observation_type),
      createdAt: readForeignTime(row.created_at),
    },
  };
}

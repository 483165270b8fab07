import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tablesIn, withForeign } from './foreign-database.ts';
import { type Imported, type Importer, listOf, parseJson, textOr, timeOf } from './imported.ts';
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
      const labels = (row: Row) => {
        const session = sessions.get(String(row.session_id));
        return { project: textOr(session?.project, null), session: textOr(session?.opencode_session_id, null) };
      };
      for (const row of database.rows('observations', 'id')) yield readObservation(row, labels(row));
      for (const row of database.rows('user_prompts', 'id')) yield readPrompt(row, labels(row));
      for (const row of database.rows('user_observations', 'id')) yield readNote(row);
    });
  },
};

interface Labels {
  project: string | null;
  session: string | null;
}

const OUTPUT_CHARS = 2000;

function readObservation(row: Row, labels: Labels): Imported {
  const tool = textOr(row.tool_name, 'tool');
  const summary = textOr(row.compressed_summary, null);
  const input = describeInput(row.tool_input);
  const files = listOf(row.files_referenced);
  const lines = [
    summary ?? tool,
    `${tool}: ${input}`,
    summary === null ? textOr(row.tool_output, '').slice(0, OUTPUT_CHARS) : '',
    files.length > 0 ? `Files: ${files.join(', ')}` : '',
  ];
  return {
    memory: {
      ...labels,
      id: `observation/${String(row.id)}`,
      content: lines.filter((line) => line !== '').join('\n'),
      title: summary,
      type: textOr(row.observation_type, 'observation'),
      tags: [tool, ...listOf(row.concepts)],
      createdAt: timeOf(row.created_at),
    },
  };
}

function describeInput(given: unknown): string {
  const input = parseJson(given);
  if (typeof input !== 'object' || input === null) return textOr(given, '');
  return Object.values(input)
    .filter((value) => typeof value === 'string')
    .join(' ')
    .slice(0, OUTPUT_CHARS);
}

function readPrompt(row: Row, labels: Labels): Imported {
  const content = textOr(row.prompt, null);
  if (content === null) return { leftOut: `prompt ${String(row.id)}`, why: 'it has no text' };
  return {
    memory: {
      ...labels,
      id: `prompt/${String(row.id)}`,
      content,
      type: 'conversation_turn',
      author: 'user',
      createdAt: timeOf(row.created_at),
    },
  };
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
      createdAt: timeOf(row.created_at),
    },
  };
}

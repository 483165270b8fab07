import type { JsonObject } from '../../../model/json.ts';
import { readForeignTime } from '../../../model/read-exact-time.ts';
import { withForeign } from './foreign-database.ts';
import { asRow, type Imported, type Importer, listOf, parseJson, textOr } from './imported.ts';

type Row = Readonly<Record<string, unknown>>;

const TEXT = ['content', 'text', 'memory', 'value', 'body'];
const USER = ['user_key', 'user_id', 'user'];

/** The networked server's `ltm_store.db`: users × repositories. Its columns are not documented, so they are known by their names. */
export const networked: Importer = {
  name: 'networked',
  about: "the networked memory server's ltm_store.db",
  recognise: ({ tables }) => tableOf(tables) !== null,
  read: ({ path, tables }) =>
    withForeign(path, function* (database) {
      const table = tableOf(tables)!;
      for (const row of database.rows(table, 'id')) yield readRow(row);
    }),
};

function tableOf(tables: ReadonlyMap<string, readonly string[]>): string | null {
  const found = [...tables].find(
    ([, columns]) => columns.includes('repo_id') && TEXT.some((name) => columns.includes(name)),
  );
  return found?.[0] ?? null;
}

function readRow(row: Row): Imported {
  const first = (names: readonly string[]): string | null =>
    names.map((name) => textOr(row[name], null)).find((value) => value !== null) ?? null;
  const content = first(TEXT);
  const user = first(USER);
  const repo = textOr(row.repo_id, null);
  const id = `${user ?? ''}/${repo ?? ''}/${String(row.id ?? row.memory_id ?? row.key ?? '')}`;
  if (content === null) return { leftOut: `memory ${id}`, why: 'it has no text' };
  return {
    memory: {
      id,
      content,
      type: first(['memory_type', 'type']),
      tags: listOf(row.tags),
      metadata: asRow(parseJson(row.metadata)) as JsonObject,
      project: repo,
      author: user,
      createdAt: readForeignTime(row.created_at ?? row.timestamp),
      updatedAt: readForeignTime(row.updated_at),
      deletedAt: readForeignTime(row.deleted_at),
    },
  };
}

import { readFileSync } from 'node:fs';
import type { JsonObject } from '../../../model/json.ts';
import { readForeignTime } from '../../../model/read-exact-time.ts';
import { withForeign } from './foreign-database.ts';
import { asRow, type Imported, type Importer, listOf, parseJson, textOr } from './imported.ts';
import { readSqlDump } from './read-sql-dump.ts';

type Row = Readonly<Record<string, unknown>>;

/** mcp-memory-service: its SQLite database, its JSON exports, and the SQL that Cloudflare D1 exports. */
export const memoryService: Importer = {
  name: 'mcp-memory-service',
  about: 'mcp-memory-service: sqlite_vec.db, a JSON export of it, or an SQL export of its Cloudflare D1 database',
  recognise: ({ tables, head }) =>
    tables.get('memories')?.includes('content_hash') === true ||
    (/^\s*\{/.test(head) &&
      /"memories"\s*:/.test(head) &&
      /"(?:export_metadata|content_hash|export_date)"/.test(head)) ||
    /CREATE TABLE (?:IF NOT EXISTS )?["`]?memories["`]?[\s\S]*content_hash/i.test(head),
  read: ({ path, tables, head }) => {
    if (tables.size > 0) return withForeign(path, (database) => readTables((name) => database.rows(name, 'id')));
    const text = readFileSync(path, 'utf8');
    if (!head.trimStart().startsWith('{')) {
      const dump = readSqlDump(text);
      return readTables((name) => dump.get(name) ?? []);
    }
    return readExport(asRow(JSON.parse(text)));
  },
};

function* readTables(rowsOf: (table: string) => Iterable<Row>): Generator<Imported> {
  const tagNames = new Map([...rowsOf('tags')].map(({ id, name }) => [String(id), String(name)]));
  const tags = new Map<string, string[]>();
  for (const { memory_id: memory, tag_id: tag } of rowsOf('memory_tags')) {
    const own = tags.get(String(memory)) ?? [];
    own.push(tagNames.get(String(tag)) ?? '');
    tags.set(String(memory), own);
  }
  for (const row of rowsOf('memories')) yield* readMemory(row, tags.get(String(row.id)) ?? []);
  for (const row of rowsOf('memory_graph')) {
    const { source_hash: from, target_hash: to, similarity } = row;
    yield {
      relation: {
        from: String(from),
        to: String(to),
        type: textOr(row.relationship_type, 'related'),
        weight: typeof similarity === 'number' ? Math.min(1, Math.max(0, similarity)) : 1,
        createdAt: readForeignTime(row.created_at),
      },
    };
  }
}

/** Of a file of its script, memories are tagged with the machine that they come from, as its own import does it. */
function* readExport({ memories, export_metadata: about }: Row): Generator<Imported> {
  const machine = textOr(asRow(about).source_machine, null);
  const tags = machine === null ? [] : [`source:${machine.toLowerCase()}`];
  for (const memory of Array.isArray(memories) ? memories : []) yield* readMemory(asRow(memory), tags);
}

/** What it keeps among the metadata although it is a field of ours. */
const OWN_KEYS = new Set(['quality_score', 'tags']);

function* readMemory(row: Row, moreTags: readonly string[]): Generator<Imported> {
  const content = textOr(row.content, null);
  const id = textOr(row.content_hash, null) ?? content;
  if (content === null || id === null) {
    yield { leftOut: `memory ${String(row.id ?? '')}`, why: 'it has no text' };
    return;
  }
  const given = row.metadata ?? row.metadata_json;
  const metadata = asRow(typeof given === 'string' ? parseJson(given) : given);
  const { quality_score: quality } = metadata;
  const store = textOr(row.store, 'default');
  yield {
    memory: {
      id,
      content,
      type: textOr(row.memory_type ?? row.type, null),
      tags: [...new Set([...listOf(row.tags), ...moreTags, ...listOf(metadata.tags)])].filter((tag) => tag !== ''),
      metadata: Object.fromEntries(Object.entries(metadata).filter(([key]) => !OWN_KEYS.has(key))) as JsonObject,
      project: store === 'default' ? null : store,
      conversation: textOr(metadata.conversation_id, null),
      createdAt: readForeignTime(row.created_at) ?? readForeignTime(row.created_at_iso),
      updatedAt: readForeignTime(row.updated_at) ?? readForeignTime(row.updated_at_iso),
      deletedAt: readForeignTime(row.deleted_at),
      supersededBy: textOr(row.superseded_by, null),
      ...(typeof quality === 'number' && quality >= 0 && quality <= 1 && { quality }),
    },
  };
}

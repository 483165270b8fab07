import { DatabaseSync } from 'node:sqlite';

/** SQLite's full-text search as it comes, to measure our own against. The product does not use it. */
export interface Fts5Baseline {
  /** Places in the list of texts, best first. */
  rank(query: string, limit: number): number[];
  close(): void;
}

/** BM25 over words cut by unicode61 and stemmed by Porter; any word of the query may match. */
export function openFts5Baseline(texts: readonly string[]): Fts5Baseline {
  const database = new DatabaseSync(':memory:');
  database.exec("CREATE VIRTUAL TABLE texts USING fts5(text, tokenize = 'porter unicode61'); BEGIN");
  const insert = database.prepare('INSERT INTO texts (rowid, text) VALUES (?, ?)');
  texts.forEach((text, i) => {
    insert.run(i, text);
  });
  database.exec('COMMIT');
  const find = database.prepare('SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts), rowid LIMIT ?');
  return {
    rank(query, limit) {
      const words = query.match(/[\p{L}\p{M}\p{N}]+/gu);
      if (words === null) return [];
      return find.all(words.map((word) => `"${word}"`).join(' OR '), limit).map((row) => Number(row.rowid));
    },
    close: () => database.close(),
  };
}

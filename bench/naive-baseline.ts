import { DatabaseSync } from 'node:sqlite';
import { seeded } from './corpus.ts';

/** What one writes first: every word of the question OR-ed, the best 50 by bm25. */
export interface NaiveText {
  insertMs: number;
  find(question: string): unknown[];
  close(): void;
}

export function openNaiveText(path: string, passages: readonly string[]): NaiveText {
  const db = new DatabaseSync(path);
  db.exec('PRAGMA journal_mode = WAL; CREATE VIRTUAL TABLE passages USING fts5(text)');
  const insert = db.prepare('INSERT INTO passages (text) VALUES (?)');
  const started = performance.now();
  db.exec('BEGIN');
  for (const text of passages) insert.run(text);
  db.exec('COMMIT');
  const insertMs = performance.now() - started;
  const find = db.prepare('SELECT rowid FROM passages WHERE passages MATCH ? ORDER BY bm25(passages) LIMIT 50');
  return {
    insertMs,
    find(question) {
      const words = question.match(/[\p{L}\p{N}]+/gu) ?? [];
      return find.all(words.map((word) => `"${word}"`).join(' OR '));
    },
    close: () => db.close(),
  };
}

const BEST = 50;

/** Every vector as floats in one array, one after the other; the best 50 by a sorted list. Random numbers do for the time it takes. */
export function makeNaiveVectors(count: number, dimensions: number): (query: Float32Array) => number[] {
  const random = seeded(count);
  const rows = Float32Array.from({ length: count * dimensions }, () => random() - 0.5);
  return (query) => {
    const best: { row: number; score: number }[] = [];
    for (let row = 0; row < count; row++) {
      let score = 0;
      for (let i = 0; i < dimensions; i++) score += query[i]! * rows[row * dimensions + i]!;
      if (best.length === BEST && score <= best[BEST - 1]!.score) continue;
      best.push({ row, score });
      best.sort((a, b) => b.score - a.score);
      best.length = Math.min(best.length, BEST);
    }
    return best.map(({ row }) => row);
  };
}

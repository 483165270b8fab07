import type { EmbedderId, IndexEntry, StoredVector } from '../../model/passage.ts';
import type { StoredRecord } from '../../model/record.ts';
import { cutRunsInTurns } from '../text/word-runs.ts';
import { MAX_DOC_LENGTH } from './columns.ts';
import type { Pace } from './pacer.ts';

export type Tokenize = (text: string) => readonly string[];

/** A record cut into words, ready to be put into a tail. */
export interface PreparedEntry {
  record: StoredRecord;
  docs: PreparedDoc[];
  /** Those of its content, where they are cut already; null: it cannot be cut. */
  runs: readonly string[] | null | 'uncut';
}

export interface PreparedDoc {
  /** Each as often as it occurs. */
  words: readonly string[];
  length: number;
  vector: StoredVector | null;
}

/** Passages of one record that are cut into words in one go; a record of more is prepared in turns. */
const AT_ONCE = 32;

/** The same as `prepareEntry`; a long record does not hold up others. */
export async function prepareInTurns(
  entry: IndexEntry,
  { tokenize, embedder, pace }: { tokenize: Tokenize; embedder: EmbedderId | null; pace: Pace },
): Promise<PreparedEntry | null> {
  const { passages } = entry;
  if (passages.length <= AT_ONCE) return prepareEntry(entry, tokenize, embedder);
  const { record } = entry;
  if (record === null || record.deletedAt !== null) return null;
  await pace();
  const prepared: PreparedEntry = { record, runs: await cutRunsInTurns(record.content, pace), docs: [] };
  for (let at = 0; at < passages.length; at += AT_ONCE) {
    await pace();
    const some = { ...entry, passages: passages.slice(at, at + AT_ONCE) };
    prepared.docs.push(...listDocs(some, tokenize, embedder));
  }
  return prepared;
}

/** null for a record that is deleted or gone. */
export function prepareEntry(entry: IndexEntry, tokenize: Tokenize, embedder: EmbedderId | null): PreparedEntry | null {
  const { record } = entry;
  if (record === null || record.deletedAt !== null) return null;
  return { record, runs: 'uncut', docs: listDocs(entry, tokenize, embedder) };
}

function listDocs(entry: IndexEntry, tokenize: Tokenize, embedder: EmbedderId | null): PreparedDoc[] {
  const passages = [...entry.passages].sort((a, b) => a.ordinal - b.ordinal);
  const vectors = new Map<number, StoredVector>();
  for (const vector of entry.vectors)
    if (embedder === null || vector.embedder === embedder) vectors.set(vector.ordinal, vector);
  return passages.map((passage) => {
    const words = tokenize(passage.text.toWellFormed());
    const length = Math.min(words.length, MAX_DOC_LENGTH);
    return { words, length, vector: vectors.get(passage.ordinal) ?? null };
  });
}

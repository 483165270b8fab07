import { parseQuery } from '../src/engine/search/text/parse-query.ts';
import { tokenize } from '../src/engine/search/text/tokenize.ts';
import { weighQuality, weighRecency } from '../src/engine/search/weigh.ts';
import type { StoredRecord } from '../src/model/record.ts';

export interface BruteHit {
  id: string;
  text: number;
  score: number;
}

/** BM25 as the book says, over nothing but the records: no index, no history. Sums are rounded to 32 bits as in the engine. */
export function searchByBruteForce(records: readonly StoredRecord[], query: string, now: number): BruteHit[] {
  const docs = records.flatMap((record) =>
    record.content.split('\n\n').map((text) => ({ record, words: tokenize(text) })),
  );
  const average = docs.reduce((sum, doc) => sum + doc.words.length, 0) / docs.length;
  const scores = new Float32Array(docs.length);
  const isStop = ({ weight }: { weight: number }) => weight <= 0.2;
  const { terms } = parseQuery(query);
  for (const { term, weight } of [...terms.filter((each) => !isStop(each)), ...terms.filter(isStop)]) {
    const holding = docs.filter((doc) => doc.words.includes(term)).length;
    const idf = Math.log(1 + (docs.length - holding + 0.5) / (holding + 0.5));
    for (const [i, { words }] of docs.entries()) {
      const count = words.filter((word) => word === term).length;
      if (count > 0 && (scores[i]! > 0 || !isStop({ weight })))
        scores[i]! += weight * idf * ((2.2 * count) / (count + 1.2 * (0.5 + (0.5 * words.length) / average)));
    }
  }
  const best = new Map<StoredRecord, number>();
  for (const [i, { record }] of docs.entries()) if (scores[i]! > (best.get(record) ?? 0)) best.set(record, scores[i]!);
  return [...best]
    .map(([record, text]) => ({
      id: record.id,
      text,
      score: text * weighRecency(record.updatedAt, now) * weighQuality(record.quality),
      record,
    }))
    .sort((a, b) => b.score - a.score || b.record.createdAt - a.record.createdAt || (a.id < b.id ? 1 : -1))
    .map(({ id, text, score }) => ({ id, text, score }));
}

import type { RecordId, Sequence } from '../../../model/ids.ts';
import type { EmbedderId } from '../../../model/passage.ts';
import { type Columns, encodeIds, idAt } from './columns.ts';
import { mergeColumns } from './merge-columns.ts';
import { mergeRuns } from './merge-runs.ts';
import { mergeWords } from './merge-words.ts';
import { createPacer } from './pacer.ts';
import { type Body, codeWords } from './part.ts';
import type { Sections, SegmentContents } from './segment-format.ts';
import { encodeText } from './string-table.ts';

/** A part as it was when the merge began. */
export interface MergeSource {
  columns: Columns;
  body: Body;
  /** Which records to leave out. */
  dead: Uint8Array;
}

export interface MergeRequest {
  from: Sequence;
  to: Sequence;
  sources: readonly MergeSource[];
  /** Ids that older segments may hold and that are gone. */
  deletedIds: readonly RecordId[];
  /** Which vectors to keep; null: those of the last source that has any. */
  embedder: EmbedderId | null;
}

/** Where a record of the merged segment comes from. */
export interface Origin {
  source: number;
  record: number;
}

/** One segment out of parts: live records alone, by id, words and vectors taken over without reading any text again. */
export async function mergeParts({ from, to, sources, deletedIds, embedder }: MergeRequest): Promise<SegmentContents> {
  const pace = createPacer();
  const origins = await orderRecords(sources, pace);
  const { docMaps, recordMaps, docCount } = numberDocs(sources, origins);
  const columns = await mergeColumns(sources, origins, pace);
  const words = await mergeWords(
    sources.map((source, i) => ({ terms: source.body.words.list(), docMap: docMaps[i]! })),
    pace,
  );
  const runs = await mergeRuns(
    sources.map(({ body }, i) => ({ runs: body.runs, recordMap: recordMaps[i]! })),
    pace,
  );
  const vectors = await mergeVectors({ sources, docMaps, docCount, embedder }, pace);
  const sections: Sections = {
    ...columns,
    deletedIds: encodeIds([...deletedIds].sort()),
    ...words,
    ...runs,
    ...vectors.sections,
  };
  return { from, to, embedder: vectors.embedder, dimensions: vectors.dimensions, sections };
}

async function orderRecords(sources: readonly MergeSource[], pace: () => Promise<void> | undefined): Promise<Origin[]> {
  const queues: { id: RecordId; origin: Origin }[][] = [];
  for (const [source, { columns, dead }] of sources.entries()) {
    const queue: { id: RecordId; origin: Origin }[] = [];
    for (let record = 0; record < columns.recordCount; record++) {
      if (dead[record] !== 1) queue.push({ id: idAt(columns, record), origin: { source, record } });
    }
    if (!isSorted(queue)) queue.sort((a, b) => (a.id < b.id ? -1 : 1));
    queues.push(queue);
    await pace();
  }
  const heads = queues.map(() => 0);
  const origins: Origin[] = [];
  for (;;) {
    let first = -1;
    for (let i = 0; i < queues.length; i++) {
      const candidate = queues[i]![heads[i]!];
      if (candidate !== undefined && (first === -1 || candidate.id < queues[first]![heads[first]!]!.id)) first = i;
    }
    if (first === -1) return origins;
    origins.push(queues[first]![heads[first]!++]!.origin);
    if (origins.length % 1000 === 0) await pace();
  }
}

function isSorted(queue: readonly { id: RecordId }[]): boolean {
  return queue.every(({ id }, i) => i === 0 || queue[i - 1]!.id < id);
}

/** For each source: the new number of each of its records and docs, -1 for those left out. */
function numberDocs(
  sources: readonly MergeSource[],
  origins: readonly Origin[],
): { docMaps: Int32Array[]; recordMaps: Int32Array[]; docCount: number } {
  const recordMaps = sources.map(({ columns }) => new Int32Array(columns.recordCount).fill(-1));
  const docMaps = sources.map(({ columns }) => new Int32Array(columns.docCount).fill(-1));
  let docCount = 0;
  for (const [at, { source, record }] of origins.entries()) {
    const { docStart } = sources[source]!.columns;
    recordMaps[source]![record] = at;
    for (let doc = docStart[record]!; doc < docStart[record + 1]!; doc++) docMaps[source]![doc] = docCount++;
  }
  return { docMaps, recordMaps, docCount };
}

interface VectorMerge {
  sources: readonly MergeSource[];
  docMaps: readonly Int32Array[];
  docCount: number;
  embedder: EmbedderId | null;
}

async function mergeVectors(
  { sources, docMaps, docCount, embedder }: VectorMerge,
  pace: () => Promise<void> | undefined,
) {
  const offered = sources.map(({ body }) => body.vectors).filter((vectors) => vectors !== null);
  const model = offered.findLast((vectors) => embedder === null || vectors.embedder === embedder) ?? offered.at(-1);
  if (model === undefined || docCount === 0) {
    const none = {
      embedder: new Uint8Array(0),
      codes: new Uint32Array(0),
      rows: new Int8Array(0),
      scales: new Float32Array(0),
    };
    return { embedder: null, dimensions: 0, sections: none };
  }
  const { dimensions } = model;
  const width = codeWords(dimensions);
  const codes = new Uint32Array(docCount * width);
  const rows = new Int8Array(docCount * dimensions);
  const scales = new Float32Array(docCount);
  for (const [i, { body }] of sources.entries()) {
    const own = body.vectors;
    if (own === null || own.embedder !== model.embedder || own.dimensions !== dimensions) continue;
    for (const [doc, target] of docMaps[i]!.entries()) {
      if (target === -1 || doc >= own.scales.length) continue;
      scales[target] = own.scales[doc]!;
      rows.set(own.rows.subarray(doc * dimensions, (doc + 1) * dimensions), target * dimensions);
      codes.set(own.codes.subarray(doc * width, (doc + 1) * width), target * width);
      if (doc % 1000 === 0) await pace();
    }
  }
  return {
    embedder: model.embedder,
    dimensions,
    sections: { embedder: encodeText(model.embedder), codes, rows, scales },
  };
}

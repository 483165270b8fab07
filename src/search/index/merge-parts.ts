import type { RecordId, Sequence } from '../../model/ids.ts';
import type { EmbedderId } from '../../model/passage.ts';
import { type Columns, compareIds, encodeIds } from './columns.ts';
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

/** Where each record of the merged segment comes from: two numbers each, since a large space has more of them than objects should be made of. */
export interface Origins {
  length: number;
  source: Uint16Array;
  record: Uint32Array;
}

/** One segment out of parts: live records alone, by id, words and vectors taken over without reading any text again. */
export async function mergeParts({ from, to, sources, deletedIds, embedder }: MergeRequest): Promise<SegmentContents> {
  const pace = createPacer();
  const origins = await orderRecords(sources, pace);
  const { docMaps, recordMaps, docCount } = await numberDocs(sources, origins, pace);
  const columns = await mergeColumns(sources, origins, pace);
  const lists = await Promise.all(sources.map(({ body }) => body.words.list(pace)));
  const words = await mergeWords(
    lists.map((terms, i) => ({ terms, docMap: docMaps[i]! })),
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

async function orderRecords(sources: readonly MergeSource[], pace: () => Promise<void> | undefined): Promise<Origins> {
  const queues: Uint32Array[] = [];
  for (const { columns, dead } of sources) {
    queues.push(listAlive(columns, dead));
    await pace();
  }
  const length = queues.reduce((sum, queue) => sum + queue.length, 0);
  const origins: Origins = { length, source: new Uint16Array(length), record: new Uint32Array(length) };
  const heads = queues.map(() => 0);
  for (let at = 0; at < length; at++) {
    let first = -1;
    for (let i = 0; i < queues.length; i++) {
      if (heads[i]! >= queues[i]!.length) continue;
      if (first === -1 || compareHeads(sources, queues, { heads, i, first }) < 0) first = i;
    }
    origins.source[at] = first;
    origins.record[at] = queues[first]![heads[first]!++]!;
    if (at % 1000 === 0) await pace();
  }
  return origins;
}

function compareHeads(
  sources: readonly MergeSource[],
  queues: readonly Uint32Array[],
  { heads, i, first }: { heads: readonly number[]; i: number; first: number },
): number {
  const [a, b] = [sources[i]!.columns.ids, sources[first]!.columns.ids];
  return compareIds(a, queues[i]![heads[i]!]!, b, queues[first]![heads[first]!]!);
}

/** In the order of their ids, which segments have already. */
function listAlive({ ids, recordCount }: Columns, dead: Uint8Array): Uint32Array {
  const alive = new Uint32Array(recordCount);
  let count = 0;
  let isSorted = true;
  for (let record = 0; record < recordCount; record++) {
    if (dead[record] === 1) continue;
    isSorted &&= count === 0 || compareIds(ids, alive[count - 1]!, ids, record) < 0;
    alive[count++] = record;
  }
  const listed = alive.subarray(0, count);
  return isSorted ? listed : listed.sort((a, b) => compareIds(ids, a, ids, b));
}

/** For each source: the new number of each of its records and docs, -1 for those left out. */
async function numberDocs(
  sources: readonly MergeSource[],
  origins: Origins,
  pace: () => Promise<void> | undefined,
): Promise<{ docMaps: Int32Array[]; recordMaps: Int32Array[]; docCount: number }> {
  const recordMaps = sources.map(({ columns }) => new Int32Array(columns.recordCount).fill(-1));
  const docMaps = sources.map(({ columns }) => new Int32Array(columns.docCount).fill(-1));
  let docCount = 0;
  for (let at = 0; at < origins.length; at++) {
    const source = origins.source[at]!;
    const record = origins.record[at]!;
    const { docStart } = sources[source]!.columns;
    recordMaps[source]![record] = at;
    for (let doc = docStart[record]!; doc < docStart[record + 1]!; doc++) docMaps[source]![doc] = docCount++;
    if (at % 5000 === 0) await pace();
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
    own.needRows?.(null);
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

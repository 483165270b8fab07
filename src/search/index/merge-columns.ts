import { RECORD_ID_LENGTH } from '../../model/ids.ts';
import { CODED_LABELS } from './columns.ts';
import type { MergeSource, Origins } from './merge-parts.ts';
import { type ColumnName, mapSections, RECORD_COLUMN_NAMES, SECTIONS, type Sections } from './segment-format.ts';
import { compareBytes, encodeText, makeStringTable } from './string-table.ts';

const COPIED = RECORD_COLUMN_NAMES.filter((name) => !CODED_LABELS.some((label) => label === name));

type ColumnSections = Pick<Sections, ColumnName | 'labelStart' | 'labelBytes'>;

/** The columns of these records in this order, with one dictionary of labels for all. */
export async function mergeColumns(
  sources: readonly MergeSource[],
  origins: Origins,
  pace: () => Promise<void> | undefined,
): Promise<ColumnSections> {
  const labels = await mergeLabels(sources, origins, pace);
  const merged = await allocate(sources, origins, { labels: labels.sections, pace });
  for (let at = 0; at < origins.length; at++) {
    const source = origins.source[at]!;
    const record = origins.record[at]!;
    const { columns } = sources[source]!;
    const codes = labels.codes[source]!;
    merged.ids.set(
      columns.ids.subarray(record * RECORD_ID_LENGTH, (record + 1) * RECORD_ID_LENGTH),
      at * RECORD_ID_LENGTH,
    );
    for (const name of COPIED) merged[name][at] = columns[name][record]!;
    for (const name of CODED_LABELS) merged[name][at] = codes[columns[name][record]!]!;
    let tag = merged.tagStart[at]!;
    for (let i = columns.tagStart[record]!; i < columns.tagStart[record + 1]!; i++)
      merged.tags[tag++] = codes[columns.tags[i]!]!;
    merged.tagStart[at + 1] = tag;
    let doc = merged.docStart[at]!;
    for (let i = columns.docStart[record]!; i < columns.docStart[record + 1]!; i++) {
      merged.docRecord[doc] = at;
      merged.docLength[doc++] = columns.docLength[i]!;
    }
    merged.docStart[at + 1] = doc;
    if (at % 1000 === 0) await pace();
  }
  return merged;
}

async function allocate(
  sources: readonly MergeSource[],
  origins: Origins,
  { labels, pace }: { labels: Pick<Sections, 'labelStart' | 'labelBytes'>; pace: () => Promise<void> | undefined },
): Promise<ColumnSections> {
  const records = origins.length;
  let docs = 0;
  let tags = 0;
  for (let at = 0; at < origins.length; at++) {
    const source = origins.source[at]!;
    const record = origins.record[at]!;
    const { docStart, tagStart } = sources[source]!.columns;
    docs += docStart[record + 1]! - docStart[record]!;
    tags += tagStart[record + 1]! - tagStart[record]!;
    if (at % 5000 === 0) await pace();
  }
  return {
    ...mapSections(RECORD_COLUMN_NAMES, (name) => new SECTIONS[name](records)),
    ids: new Uint8Array(records * RECORD_ID_LENGTH),
    docStart: new Uint32Array(records + 1),
    docRecord: new Uint32Array(docs),
    docLength: new Uint16Array(docs),
    tagStart: new Uint32Array(records + 1),
    tags: new Uint32Array(tags),
    ...labels,
  };
}

/** The labels in use, and for each source its codes translated into the merged ones. */
async function mergeLabels(sources: readonly MergeSource[], origins: Origins, pace: () => Promise<void> | undefined) {
  const used = sources.map(({ columns }) => new Uint8Array(columns.labels.size));
  for (let at = 0; at < origins.length; at++) {
    const source = origins.source[at]!;
    const record = origins.record[at]!;
    const { columns } = sources[source]!;
    const marks = used[source]!;
    for (const name of CODED_LABELS) marks[columns[name][record]!] = 1;
    for (let i = columns.tagStart[record]!; i < columns.tagStart[record + 1]!; i++) marks[columns.tags[i]!] = 1;
    if (at % 5000 === 0) await pace();
  }
  await pace();
  const texts = new Set<string>();
  for (const [i, marks] of used.entries()) {
    for (let code = 1; code < marks.length; code++)
      if (marks[code] === 1) texts.add(sources[i]!.columns.labels.textOf(code));
  }
  const sorted = [...texts]
    .map((text) => ({ text, bytes: encodeText(text) }))
    .sort((a, b) => compareBytes(a.bytes, b.bytes));
  const codeOf = new Map(sorted.map(({ text }, i) => [text, i + 1]));
  const codes = used.map((marks, i) =>
    Uint32Array.from(marks, (mark, code) =>
      mark === 0 || code === 0 ? 0 : codeOf.get(sources[i]!.columns.labels.textOf(code))!,
    ),
  );
  const table = makeStringTable(sorted.map(({ bytes }) => bytes));
  return { codes, sections: { labelStart: table.starts, labelBytes: table.bytes } };
}

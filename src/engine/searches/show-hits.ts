import type { NoteDamage } from '../../model/damage.ts';
import { cleanText } from '../../model/hidden-characters.ts';
import type { RecordId } from '../../model/ids.ts';
import type { Passage } from '../../model/passage.ts';
import type { StoredRecord } from '../../model/record.ts';
import type { Hit } from '../../model/search.ts';
import { createPacer } from '../../search/index/pacer.ts';
import type { Finding } from '../../search/judge-page.ts';
import { firstLine, makeLine, makeSnippet } from '../../search/text/make-snippet.ts';
import type { Passages, Records } from '../ports.ts';
import type { KindTable } from '../records/kind.ts';
import { derivePassages } from './derive-passages.ts';
import type { KeptRows, Row } from './kept-rows.ts';

const SNIPPET_CHARS = 320;
/** Of a weak hit: a sentence of usual length. */
const LINE_CHARS = 160;
const TITLE_CHARS = 80;

interface Reading {
  store: Records & Passages;
  kinds: KindTable;
  note: NoteDamage;
  /** Null: nothing is kept of what moves from search to search. */
  kept: KeptRows | null;
}

/** Rows and passages are read for what is shown only. Records that went away meanwhile are left out, and so are damaged ones, of which `note` is told. */
export async function showHits(reading: Reading, findings: readonly Finding[]): Promise<Hit[]> {
  const rows = await readRows(reading, findings);
  return findings.flatMap((finding, i) => {
    const row = rows[i];
    return row === undefined || row.record.deletedAt !== null ? [] : [makeHit(reading.kinds, row, finding)];
  });
}

/** What of a finding is shown beside the record. */
export type Shown = Pick<Finding, 'ordinal' | 'words' | 'score' | 'confidence' | 'weak' | 'isShort' | 'why'>;

export function makeHit(kinds: KindTable, row: Row, finding: Shown): Hit {
  const { ordinal, words, score, confidence, weak, isShort, why } = finding;
  const { record, passages } = row;
  const { id, space, kind, type, content, contentHash, tags, project, agent, source, trust, quality } = record;
  const { createdAt, updatedAt, supersededBy } = record;
  const text =
    content.length <= SNIPPET_CHARS
      ? content
      : (passages.find((passage) => passage.ordinal === ordinal)?.text ?? content);
  const { snippet, whole } = isShort
    ? makeLine(text, words, { snippet: SNIPPET_CHARS, line: LINE_CHARS })
    : makeSnippet(text, words, SNIPPET_CHARS);
  row.title ??= cleanText(record.title ?? firstLine(content, TITLE_CHARS));
  const labels = {
    contentHash,
    tags: [...tags],
    project,
    agent,
    source,
    trust,
    quality,
    createdAt,
    updatedAt,
    supersededBy,
  };
  return {
    id,
    space,
    kind,
    type,
    title: row.title,
    snippet: cleanText(snippet),
    whole: whole && text === content,
    ...labels,
    ...describeKind(kinds, record, ordinal),
    score,
    confidence,
    weak,
    why,
  };
}

/** What only its kind shows, under the kind's name. */
function describeKind(kinds: KindTable, record: StoredRecord, ordinal: number): object {
  const kind = kinds.find(record.kind);
  if (kind?.describeHit === undefined) return {};
  const part = kind.listPassages(record)[ordinal]?.part ?? '';
  return { [kind.name]: kind.describeHit(record, part) };
}

/** In the order of the findings; undefined where one is not there. */
async function readRows(
  { store, kinds, note, kept }: Reading,
  findings: readonly Finding[],
): Promise<(Row | undefined)[]> {
  const rows = findings.map(({ place }) => kept?.find(place.part, place.record));
  const missing = findings.filter((_, i) => rows[i] === undefined);
  const pace = createPacer();
  for (const own of groupsOf(missing)) {
    await pace();
    const { space } = own[0]!;
    const ids = own.map(({ id }) => id);
    const records = await store.getRecords(space, ids, note);
    const long = own.filter((finding) => finding.passages > 1).map(({ id }) => id);
    const passages: Map<RecordId, Passage[]> = long.length === 0 ? new Map() : await store.readPassages(space, long);
    const passagesFor = (record: StoredRecord): readonly Passage[] =>
      passages.get(record.id) ?? (long.includes(record.id) ? derivePassages(kinds, record) : []);
    const found = new Map(records.map((record) => [record.id, record]));
    for (const each of own) {
      const record = found.get(each.id);
      if (record === undefined) continue;
      const row: Row = { record, passages: passagesFor(record) };
      rows[findings.indexOf(each)] = row;
      kept?.keep(each.place.part, each.place.record, row);
    }
  }
  return rows;
}

/** Passages of records that are read in one go: long ones one after the other, so that others get their turn. */
const READ_AT_ONCE = 300;

function* groupsOf(findings: readonly Finding[]): Generator<readonly Finding[]> {
  for (const own of Map.groupBy(findings, ({ space }) => space).values()) {
    let from = 0;
    let read = 0;
    for (const [i, { passages }] of own.entries()) {
      if (i > from && read + passages > READ_AT_ONCE) {
        yield own.slice(from, i);
        [from, read] = [i, 0];
      }
      read += passages;
    }
    yield own.slice(from);
  }
}

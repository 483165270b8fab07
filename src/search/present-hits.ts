import type { Passages, Records } from '../engine/ports.ts';
import { type KindTable, passagesOf } from '../engine/records/kind.ts';
import type { KeptRows, Row } from '../engine/searches/kept-rows.ts';
import type { NoteDamage } from '../model/damage.ts';
import { cleanText } from '../model/hidden-characters.ts';
import type { RecordId } from '../model/ids.ts';
import type { Passage } from '../model/passage.ts';
import type { StoredRecord } from '../model/record.ts';
import type { Hit, Why } from '../model/search.ts';
import { createJudge, JUDGED_BESIDE, type Judge } from './confidence.ts';
import { idAt } from './index/columns.ts';
import { createPacer } from './index/pacer.ts';
import { seekDoc } from './index/seek-doc.ts';
import { alignConfidence, countStrong, keepRelevant, MAX_NEAREST } from './keep-relevant.ts';
import type { Ranked, Ranking } from './rank.ts';
import type { ScoredTerm } from './resolve-terms.ts';
import type { SearchPart, SearchSet } from './search-set.ts';
import { firstLine, makeLine, makeSnippet } from './text/make-snippet.ts';
import type { QueryKind } from './text/query-kind.ts';

const SNIPPET_CHARS = 320;
/** Of a weak hit: a sentence of usual length. */
const LINE_CHARS = 160;
const TITLE_CHARS = 80;

/** What decided about a hit. */
export interface Finding {
  /** Number of the passage to show. */
  ordinal: number;
  words: readonly string[];
  score: number;
  confidence: number;
  weak: boolean;
  /** Whether it is shown in one line. */
  isShort: boolean;
  why: Why;
}

export function makeHit(kinds: KindTable, row: Row, finding: Finding): Hit {
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

export interface Presented {
  hits: Hit[];
  /** How many winners were not chosen. */
  leftOut: number;
  /** Whether there is an answer, and what that was judged by. */
  isReliable: boolean;
  evidence: Judge['evidence'];
}

export interface Presenting {
  ranking: Ranking;
  asks: QueryKind;
  winners: readonly Ranked[];
  page: {
    isFirst: boolean;
    relevantOnly: boolean;
    weakInFull: boolean;
    /** Each winner holds what was quoted, so none is weak and none is left out. */
    holdsPhrase: boolean;
  };
}

interface Judged extends Pick<Finding, 'score' | 'confidence'> {
  winner: Ranked;
}

function chooseShown(
  judged: readonly Judged[],
  { isReliable, isGibberish }: Judge,
  page: Presenting['page'],
): readonly Judged[] {
  if (page.holdsPhrase) return judged;
  if (page.relevantOnly) return keepRelevant(judged, isReliable ? 'found' : 'nothing');
  return isGibberish && page.isFirst ? judged.slice(0, MAX_NEAREST) : judged;
}

/** Rows and passages are read for what is shown only. Records that went away meanwhile are left out, and so are damaged ones, of which `note` is told. */
export async function presentHits(
  { store, kinds, note, kept }: { store: Records & Passages; kinds: KindTable; note: NoteDamage; kept: KeptRows },
  set: SearchSet,
  { ranking, asks, winners, page }: Presenting,
): Promise<Presented> {
  const beside = ranking.best.slice(0, JUDGED_BESIDE);
  const held = await findHeldTerms(set, ranking, [...new Set([...beside, ...winners])]);
  const judging = createJudge({ ranking, asks, held });
  const { judge, isReliable, evidence } = judging;
  const judged = winners.map((winner): Judged => ({ winner, score: winner.score, confidence: judge(winner) }));
  alignConfidence(judged, page.isFirst || page.holdsPhrase ? 1 : Math.min(1, ...beside.map(judge)));
  const chosen = chooseShown(judged, judging, page).map((each) => ({ ...each, id: idOf(each.winner) }));
  const strong = page.holdsPhrase
    ? chosen.length
    : countStrong(chosen, { verdict: isReliable ? 'found' : 'nothing', best: ranking.best[0]?.score ?? 0 });
  const rows = await readRows({ store, kinds, note, kept: set.lean ? null : kept }, chosen);
  const hits: Hit[] = [];
  for (const [i, { winner, score, confidence }] of chosen.entries()) {
    const row = rows[i];
    if (row === undefined || row.record.deletedAt !== null) continue;
    const finding = explainFinding(winner, held.get(winner) ?? [], ranking);
    const weak = i >= strong;
    hits.push(makeHit(kinds, row, { ...finding, score, confidence, weak, isShort: weak && !page.weakInFull }));
  }
  return {
    hits,
    leftOut: winners.length - chosen.length,
    isReliable,
    evidence,
  };
}

/** Part by part: of an index larger than its budget, one is held at a time. */
async function findHeldTerms(
  set: SearchSet,
  { plan }: Ranking,
  winners: readonly Ranked[],
): Promise<Map<Ranked, ScoredTerm[]>> {
  const held = new Map(winners.map((winner): [Ranked, ScoredTerm[]] => [winner, []]));
  for (const [part, own] of Map.groupBy(winners, (winner) => winner.part)) {
    const { words } = await set.readBody(part);
    for (const term of plan.terms) {
      // What is read for one search alone has no counts by doc.
      const counts = set.lean ? null : words.countsByDoc(term);
      const docs = counts === null ? words.find(term)?.docs : undefined;
      for (const winner of own) {
        const { doc } = winner;
        const isHeld = counts === null ? docs !== undefined && docs[seekDoc(docs, doc)] === doc : counts[doc]! > 0;
        if (isHeld) held.get(winner)!.push(term);
      }
    }
  }
  return held;
}

interface Named {
  winner: Ranked;
  id: RecordId;
}

interface Reading extends Omit<Parameters<typeof presentHits>[0], 'kept'> {
  /** Null: nothing is kept of what moves from search to search. */
  kept: KeptRows | null;
}

/** In the order of those named; undefined where one is not there. */
async function readRows({ store, kinds, note, kept }: Reading, named: readonly Named[]): Promise<(Row | undefined)[]> {
  const rows = named.map(({ winner }) => kept?.find(winner.part.part, winner.record));
  const missing = named.filter((_, i) => rows[i] === undefined);
  const pace = createPacer();
  for (const own of groupsOf(missing)) {
    await pace();
    const { space } = own[0]!.winner.part;
    const records = await store.getRecords(
      space,
      own.map(({ id }) => id),
      note,
    );
    const long = own.filter(({ winner }) => countDocs(winner.part, winner.record) > 1).map(({ id }) => id);
    const passages: Map<RecordId, Passage[]> = long.length === 0 ? new Map() : await store.readPassages(space, long);
    const passagesFor = (record: StoredRecord): readonly Passage[] =>
      passages.get(record.id) ?? (long.includes(record.id) ? deriveWhereKnown(kinds, record) : []);
    const found = new Map(records.map((record) => [record.id, record]));
    for (const each of own) {
      const record = found.get(each.id);
      if (record === undefined) continue;
      const row: Row = { record, passages: passagesFor(record) };
      rows[named.indexOf(each)] = row;
      kept?.keep(each.winner.part.part, each.winner.record, row);
    }
  }
  return rows;
}

/** Passages of records that are read in one go: long ones one after the other, so that others get their turn. */
const READ_AT_ONCE = 300;

function* groupsOf(named: readonly Named[]): Generator<readonly Named[]> {
  for (const own of Map.groupBy(named, ({ winner }) => winner.part.space).values()) {
    let from = 0;
    let docs = 0;
    for (const [i, { winner }] of own.entries()) {
      const more = countDocs(winner.part, winner.record);
      if (i > from && docs + more > READ_AT_ONCE) {
        yield own.slice(from, i);
        [from, docs] = [i, 0];
      }
      docs += more;
    }
    yield own.slice(from);
  }
}

export function deriveWhereKnown(kinds: KindTable, record: StoredRecord): Passage[] {
  const kind = kinds.find(record.kind);
  return kind === undefined ? [] : passagesOf(kind, record);
}

export function idOf({ part, record }: { part: SearchPart; record: number }): RecordId {
  return idAt(part.part.columns, record);
}

function countDocs({ part }: SearchPart, record: number): number {
  return part.columns.docStart[record + 1]! - part.columns.docStart[record]!;
}

function explainFinding(
  winner: Ranked,
  held: readonly ScoredTerm[],
  { searchedBy }: Pick<Ranking, 'searchedBy'>,
): Pick<Finding, 'ordinal' | 'words' | 'why'> {
  const words = held.map((term) => term.text);
  const matched = [...(held.length > 0 ? ['words'] : []), ...(winner.meaning !== null ? ['meaning'] : [])];
  if (held.some((term) => term.matched === 'form')) matched.push('form');
  if (held.some((term) => term.matched === 'typo')) matched.push('spelling');
  const text = searchedBy === 'meaning' ? null : winner.text;
  return {
    ordinal: winner.doc - winner.part.part.columns.docStart[winner.record]!,
    words,
    why: { matched, words, text, meaning: winner.meaning, weights: winner.weights },
  };
}

import type { RecordId, SpaceId } from '../model/ids.ts';
import type { Why } from '../model/search.ts';
import { createJudge, JUDGED_BESIDE, type Judge } from './confidence.ts';
import type { Part } from './index/part.ts';
import { seekDoc } from './index/seek-doc.ts';
import { alignConfidence, countStrong, keepRelevant, MAX_NEAREST } from './keep-relevant.ts';
import type { Ranked, Ranking } from './rank.ts';
import type { ScoredTerm } from './resolve-terms.ts';
import { idOf, type SearchSet } from './search-set.ts';
import type { QueryKind } from './text/query-kind.ts';

/** A record that was found, and what decided about it. */
export interface Finding {
  space: SpaceId;
  id: RecordId;
  /** Where it stands in the index. A record that changes gets another place. */
  place: { part: Part; record: number };
  /** How many passages it has, and which of them was found. */
  passages: number;
  ordinal: number;
  words: readonly string[];
  score: number;
  confidence: number;
  weak: boolean;
  /** Whether it is shown in one line. */
  isShort: boolean;
  why: Why;
}

export interface JudgedPage {
  findings: Finding[];
  /** How many winners were not chosen. */
  leftOut: number;
  /** Whether there is an answer, and what that was judged by. */
  isReliable: boolean;
  evidence: Judge['evidence'];
}

export interface Page {
  ranking: Ranking;
  asks: QueryKind;
  winners: readonly Ranked[];
  isFirst: boolean;
  relevantOnly: boolean;
  weakInFull: boolean;
  /** Each winner holds what was quoted, so none is weak and none is left out. */
  holdsPhrase: boolean;
}

/** Says of each winner of a page how likely it is what was asked for, and chooses those that are shown. */
export async function judgePage(set: SearchSet, page: Page): Promise<JudgedPage> {
  const { ranking, asks, winners, isFirst, weakInFull, holdsPhrase } = page;
  const beside = ranking.best.slice(0, JUDGED_BESIDE);
  const held = await findHeldTerms(set, ranking, [...new Set([...beside, ...winners])]);
  const judging = createJudge({ ranking, asks, held });
  const { judge, isReliable, evidence } = judging;
  const judged = winners.map((winner): Judged => ({ winner, score: winner.score, confidence: judge(winner) }));
  alignConfidence(judged, isFirst || holdsPhrase ? 1 : Math.min(1, ...beside.map(judge)));
  const chosen = chooseShown(judged, judging, page);
  const strong = holdsPhrase
    ? chosen.length
    : countStrong(chosen, { verdict: isReliable ? 'found' : 'nothing', best: ranking.best[0]?.score ?? 0 });
  const findings = chosen.map(({ winner, score, confidence }, i): Finding => {
    const weak = i >= strong;
    const explained = explainWinner(winner, held.get(winner) ?? [], ranking);
    return { ...explained, score, confidence, weak, isShort: weak && !weakInFull };
  });
  return { findings, leftOut: winners.length - chosen.length, isReliable, evidence };
}

interface Judged extends Pick<Finding, 'score' | 'confidence'> {
  winner: Ranked;
}

function chooseShown(judged: readonly Judged[], { isReliable, isGibberish }: Judge, page: Page): readonly Judged[] {
  if (page.holdsPhrase) return judged;
  if (page.relevantOnly) return keepRelevant(judged, isReliable ? 'found' : 'nothing');
  return isGibberish && page.isFirst ? judged.slice(0, MAX_NEAREST) : judged;
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

function explainWinner(
  winner: Ranked,
  held: readonly ScoredTerm[],
  { searchedBy }: Pick<Ranking, 'searchedBy'>,
): Omit<Finding, 'score' | 'confidence' | 'weak' | 'isShort'> {
  const { doc, record, meaning, weights } = winner;
  const { part, space } = winner.part;
  const { docStart } = part.columns;
  const words = held.map((term) => term.text);
  const matched = [...(held.length > 0 ? ['words'] : []), ...(meaning !== null ? ['meaning'] : [])];
  if (held.some((term) => term.matched === 'form')) matched.push('form');
  if (held.some((term) => term.matched === 'typo')) matched.push('spelling');
  const text = searchedBy === 'meaning' ? null : winner.text;
  return {
    space,
    id: idOf(winner),
    place: { part, record },
    passages: docStart[record + 1]! - docStart[record]!,
    ordinal: doc - docStart[record]!,
    words,
    why: { matched, words, text, meaning, weights },
  };
}

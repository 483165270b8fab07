import { passOver } from '../../model/damage.ts';
import { EngineError } from '../../model/errors.ts';
import type { Instant, RecordId } from '../../model/ids.ts';
import type { Hit, RankingWeights } from '../../model/search.ts';
import type { Usage } from '../../model/usage.ts';
import { embedWithin } from '../../search/embed-within.ts';
import { splitSentences } from '../../search/text/split-sentences.ts';
import { isStopWord } from '../../search/text/stop-words.ts';
import { tokenize } from '../../search/text/tokenize.ts';
import type { Embedder, Log, Reads, Records } from '../ports.ts';
import type { SearchParts } from './search-parts.ts';

interface SecondPass {
  rerank: boolean;
  weights: RankingWeights | null;
  query: string;
  now: Instant;
  /** After so many days without a read what is left of age is 1/e; 0: age does not count. */
  decayWindowDays: number;
}

/** The same hits in another order, and what could not be done for it. `score` is what they are ordered by now, `why.weights` what it is made of. */
export async function rankAgain(
  parts: SearchParts,
  hits: readonly Hit[],
  pass: SecondPass,
): Promise<{ hits: Hit[]; notices: string[] }> {
  if (hits.length === 0) return { hits: [], notices: [] };
  const compared =
    pass.rerank && pass.query !== ''
      ? await compareSentences(parts, hits, pass.query)
      : { hits: [...hits], notices: [] };
  return {
    hits:
      pass.weights === null
        ? compared.hits
        : await weighSignals(parts, compared.hits, { ...pass, weights: pass.weights }),
    notices: compared.notices,
  };
}

const DAY = 86_400_000;
const NEVER_READ: Usage = { reads: 0, lastReadAt: null };

/** A weighted sum of how well it fits, how lately and how often it was read, and what it is worth. */
async function weighSignals(
  parts: SearchParts,
  hits: readonly Hit[],
  { weights, now, decayWindowDays }: SecondPass & { weights: RankingWeights },
): Promise<Hit[]> {
  const usages = await readUsages(parts, hits);
  const share = shareOf(weights);
  const weighed = hits.map((hit) => {
    const { reads, lastReadAt } = usages.get(hit.id) ?? NEVER_READ;
    const days = Math.max(0, (now - (lastReadAt ?? hit.createdAt)) / DAY);
    const signals = {
      semantic: Math.min(1, Math.max(0, hit.confidence)),
      timeDecay: decayWindowDays === 0 ? 1 : Math.exp(-days / decayWindowDays),
      accessFrequency: Math.min(1, Math.log(reads + 1) / Math.log(100)),
      quality: hit.quality,
    };
    const score =
      share.semantic * signals.semantic +
      share.timeDecay * signals.timeDecay +
      share.accessFrequency * signals.accessFrequency +
      share.quality * signals.quality;
    return { ...hit, score, why: { ...hit.why, weights: { ...hit.why.weights, ...signals } } };
  });
  return weighed.sort((a, b) => b.score - a.score);
}

/** What each weighs where nothing is said of it. */
const USUAL_WEIGHTS = { semantic: 0.6, timeDecay: 0.2, accessFrequency: 0.1, quality: 0.1 };

/** Shares of their sum; where all are nothing, the usual ones. */
function shareOf(weights: RankingWeights): Required<RankingWeights> {
  const all = { ...USUAL_WEIGHTS, ...weights };
  const sum = all.semantic + all.timeDecay + all.accessFrequency + all.quality;
  if (sum === 0) return USUAL_WEIGHTS;
  return {
    semantic: all.semantic / sum,
    timeDecay: all.timeDecay / sum,
    accessFrequency: all.accessFrequency / sum,
    quality: all.quality / sum,
  };
}

async function readUsages({ store }: { store: Reads }, hits: readonly Hit[]): Promise<Map<RecordId, Usage>> {
  const all = new Map<RecordId, Usage>();
  for (const [space, own] of Map.groupBy(hits, (hit) => hit.space))
    for (const [id, usage] of await store.readStatistics(
      space,
      own.map(({ id }) => id),
    ))
      all.set(id, usage);
  return all;
}

/** Of one text: those that share most words with the query, and the first. */
const SENTENCES_EACH = 4;
const MOST_SENTENCES = 60;
const SENTENCE_CHARS = 400;
const DEADLINE_MS = 8000;
/** What the first ranking, the nearest sentence and the words of the query count. */
const SHARES = { first: 0.85, sentence: 0.1, words: 0.05 };

/** The first ranking knows passages as a whole; here the one sentence counts that is nearest to the query. */
async function compareSentences(parts: SearchParts, hits: readonly Hit[], query: string) {
  const terms = [...new Set(tokenize(query))].filter((term) => !isStopWord(term));
  const texts = await readTexts(parts, hits);
  const candidates = hits.map((hit) => {
    const sentences = splitSentences(texts.get(hit.id) ?? hit.snippet)
      .slice(0, MOST_SENTENCES)
      .map((sentence) => ({ sentence: sentence.slice(0, SENTENCE_CHARS), words: new Set(tokenize(sentence)) }));
    const near = sentences
      .map((each, at) => ({ ...each, at, shared: terms.filter((term) => each.words.has(term)).length }))
      .sort((a, b) => b.shared - a.shared || a.at - b.at)
      .slice(0, SENTENCES_EACH);
    return { hit, near: near.map(({ sentence }) => sentence), words: new Set(near.flatMap(({ words }) => [...words])) };
  });
  const rarity = rarityOf(terms, candidates);
  const { nearest, notices } = await measureNearest(parts, query, candidates);
  const best = Math.max(...hits.map(({ score }) => score), Number.EPSILON);
  const again = candidates.map(({ hit, words }, at) => {
    const held = terms.reduce((sum, term) => sum + (words.has(term) ? (rarity.get(term) ?? 0) : 0), 0);
    const all = terms.reduce((sum, term) => sum + (rarity.get(term) ?? 0), 0);
    const parts = { first: hit.score / best, sentence: nearest[at] ?? 0, words: all === 0 ? 0 : held / all };
    const score = SHARES.first * parts.first + SHARES.sentence * parts.sentence + SHARES.words * parts.words;
    return { ...hit, score, why: { ...hit.why, weights: { ...hit.why.weights, ...parts } } };
  });
  return { hits: again.sort((a, b) => b.score - a.score), notices };
}

async function readTexts({ store }: { store: Records }, hits: readonly Hit[]): Promise<Map<RecordId, string>> {
  const texts = new Map<RecordId, string>();
  for (const [space, own] of Map.groupBy(hits, (hit) => hit.space)) {
    const ids = own.filter(({ whole }) => !whole).map(({ id }) => id);
    if (ids.length === 0) continue;
    for (const { id, content } of await store.getRecords(space, ids, passOver)) texts.set(id, content);
  }
  return texts;
}

/** A word that all of them have tells none from another. */
function rarityOf(
  terms: readonly string[],
  candidates: readonly { words: ReadonlySet<string> }[],
): Map<string, number> {
  return new Map(
    terms.map((term) => {
      const holding = candidates.filter(({ words }) => words.has(term)).length;
      return [term, Math.log(1 + candidates.length / (1 + holding))];
    }),
  );
}

async function measureNearest(
  { embedder, log }: { embedder: Embedder | null; log: Log },
  query: string,
  candidates: readonly { near: readonly string[] }[],
): Promise<{ nearest: number[]; notices: string[] }> {
  if (embedder === null) return { nearest: [], notices: [] };
  try {
    const [asked] = await embedWithin(DEADLINE_MS, embedder, [[query], 'query']);
    const sentences = candidates.flatMap(({ near }) => near);
    const vectors = await embedWithin(DEADLINE_MS, embedder, [sentences, 'passage']);
    let at = 0;
    const nearest = candidates.map(({ near }) =>
      near.reduce((most) => Math.max(most, cosine(asked!, vectors[at++]!)), 0),
    );
    return { nearest, notices: [] };
  } catch (error) {
    if (!(error instanceof EngineError && error.code === 'embedder_failed')) throw error;
    log.warn('sentences_not_embedded', { message: error.message });
    return { nearest: [], notices: [`The second ranking went by words alone: ${error.message}`] };
  }
}

/** Both are unit vectors. */
function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

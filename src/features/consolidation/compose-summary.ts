import { dayOf } from '../../model/instant.ts';
import type { RecordContent } from '../../model/record.ts';
import { fold } from '../../search/text/fold.ts';
import { splitSentences } from '../../search/text/split-sentences.ts';
import { isStopWord } from '../../search/text/stop-words.ts';

const MOST_CHARS = 500;
const MOST_CONCEPTS = 5;
const LEAST_WORD_CHARS = 3;
const MOST_TAGS = 10;

export interface ComposedSummary {
  content: string;
  tags: string[];
  metadata: {
    sources: string[];
    source_count: number;
    span_days: number;
    concepts: string[];
    /** Characters of the summary for each of its sources. */
    compression_ratio: number;
  };
}

type Source = Pick<RecordContent, 'content' | 'tags' | 'createdAt'> & { id: string };

/** Made of their own sentences: those that say most of what several of them are about, each adding something to the ones before. */
export function composeSummary(sources: readonly Source[]): ComposedSummary {
  const weights = weighConcepts(sources);
  const concepts = [...weights.entries()]
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .map(([word]) => word);
  const times = sources.map(({ createdAt }) => createdAt);
  const [from, to] = [Math.min(...times), Math.max(...times)];
  const [first, last] = [dayOf(from), dayOf(to)];
  const about = concepts.length === 0 ? '' : ` about ${concepts.slice(0, MOST_CONCEPTS).join(', ')}`;
  const span = first === last ? `of ${first}` : `from ${first} to ${last}`;
  const head = `${sources.length} memories ${span}${about}:`;
  const sentences = chooseSentences(sources, weights, MOST_CHARS - head.length - 1);
  const content = [head, ...sentences].join('\n');
  const length = sources.reduce((sum, source) => sum + source.content.length, 0);
  return {
    content,
    tags: [...new Set(['cluster', 'compressed', ...listCommonTags(sources)])].slice(0, MOST_TAGS),
    metadata: {
      sources: sources.map(({ id }) => id),
      source_count: sources.length,
      span_days: Math.round((to - from) / 86_400_000),
      concepts: concepts.slice(0, MOST_CONCEPTS),
      compression_ratio: Math.round((content.length / Math.max(1, length)) * 1000) / 1000,
    },
  };
}

/** Words that at least two of the texts have, by how many. */
function weighConcepts(sources: readonly Source[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { content } of sources) for (const word of wordsOf(content)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return new Map([...counts].filter(([, count]) => count >= 2));
}

function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_'’-]*/gu) ?? [];
  return new Set(words.filter((word) => word.length >= LEAST_WORD_CHARS && !isStopWord(fold(word))));
}

function chooseSentences(sources: readonly Source[], weights: ReadonlyMap<string, number>, room: number): string[] {
  const sentences = sources.flatMap(({ content }) => splitSentences(content));
  const candidates = [...new Set(sentences)].map((text) => ({ text, words: wordsOf(text) }));
  const covered = new Set<string>();
  const chosen: string[] = [];
  let left = room;
  for (;;) {
    const fitting = candidates.filter(({ text }) => text.length + 1 <= left && !chosen.includes(text));
    const valued = fitting.map((each) => ({ ...each, gain: gainOf(each, weights, covered) }));
    const best = valued.reduce<(typeof valued)[number] | null>(
      (top, each) => (each.gain > (top?.gain ?? 0) ? each : top),
      null,
    );
    if (best === null) return chosen;
    chosen.push(best.text);
    left -= best.text.length + 1;
    for (const word of best.words) covered.add(word);
  }
}

/** Long sentences say more, and take more room: the root of their length holds the balance. */
function gainOf(
  { text, words }: { text: string; words: ReadonlySet<string> },
  weights: ReadonlyMap<string, number>,
  covered: ReadonlySet<string>,
): number {
  let gain = 0;
  for (const word of words) if (!covered.has(word)) gain += weights.get(word) ?? 0;
  return gain / Math.sqrt(text.length);
}

/** What most of them bear; `untagged` says nothing. */
function listCommonTags(sources: readonly Source[]): string[] {
  const counts = new Map<string, number>();
  for (const { tags } of sources) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts]
    .filter(([tag, count]) => count * 2 > sources.length && tag !== 'untagged')
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .map(([tag]) => tag);
}

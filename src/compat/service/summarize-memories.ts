import type { Memory } from '../../features/memories/memory.ts';
import { cleanText } from '../../model/hidden-characters.ts';
import { splitSentences } from '../../search/text/split-sentences.ts';
import { isStopWord } from '../../search/text/stop-words.ts';
import { tokenize } from '../../search/text/tokenize.ts';

const MOST_CHARS = 1200;
const MOST_SENTENCE_CHARS = 300;

export interface SummaryOfMemories {
  /** A line for each source, with its number in `sources`. */
  text: string;
  sources: Memory[];
}

/** Of each, in the order they were found, the sentence that says most of what was asked and least of what was said before; as many as have room. */
export function summarizeMemories(memories: readonly Memory[], query: string): SummaryOfMemories {
  const asked = new Set(tokenize(query).filter((term) => !isStopWord(term)));
  const said = new Set<string>();
  const lines: string[] = [];
  const sources: Memory[] = [];
  let left = MOST_CHARS;
  for (const memory of memories) {
    const sentence = chooseSentence(memory.content, { asked, said });
    if (sentence === null || lines.some((line) => line.startsWith(`- ${sentence} [`))) continue;
    const line = `- ${sentence} [${sources.length + 1}]`;
    if (line.length + 1 > left) continue;
    left -= line.length + 1;
    lines.push(line);
    sources.push(memory);
    for (const term of tokenize(sentence)) said.add(term);
  }
  return { text: lines.join('\n'), sources };
}

function chooseSentence(
  text: string,
  { asked, said }: { asked: ReadonlySet<string>; said: ReadonlySet<string> },
): string | null {
  let best: { sentence: string; value: number } | null = null;
  for (const sentence of splitSentences(cleanText(text))) {
    const terms = new Set(tokenize(sentence).filter((term) => !isStopWord(term)));
    if (terms.size === 0) continue;
    let value = 0;
    for (const term of terms) value += (asked.has(term) ? 3 : 0) + (said.has(term) ? 0 : 1 / terms.size);
    if (best === null || value > best.value) best = { sentence, value };
  }
  if (best === null) return null;
  const { sentence } = best;
  return sentence.length <= MOST_SENTENCE_CHARS ? sentence : `${sentence.slice(0, MOST_SENTENCE_CHARS - 1)}…`;
}

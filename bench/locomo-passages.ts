import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Corpus {
  passages: string[];
  questions: string[];
}

const PASSAGE_CHARS = 450;

/** Passages of about 450 characters from the turns of LoCoMo, varied until there are enough, and its questions. null where the data is absent. */
export function readCorpus(dataFolder: string, count: number): Corpus | null {
  const file = join(dataFolder, 'locomo', 'locomo10.json');
  if (!existsSync(file)) return null;
  const chats = JSON.parse(readFileSync(file, 'utf8')) as { qa: { question: string }[]; conversation: Record<string, unknown> }[];
  const turns = chats.flatMap(({ conversation }) => Object.values(conversation).filter(Array.isArray).flat() as { speaker: string; text: string }[]);
  const base = joinTurns(turns.map(({ speaker, text }) => `${speaker}: ${text}`));
  const questions = chats.flatMap(({ qa }) => qa.map(({ question }) => question));
  const random = seeded(7);
  const passages = base.slice(0, count);
  while (passages.length < count) passages.push(vary(base, random));
  return { passages, questions };
}

function joinTurns(turns: readonly string[]): string[] {
  const passages: string[] = [];
  let open = '';
  for (const turn of turns) {
    open = open === '' ? turn : `${open}\n${turn}`;
    if (open.length < PASSAGE_CHARS) continue;
    passages.push(open);
    open = '';
  }
  return passages;
}

/** The first half of one passage and the second of another, with a word of its own now and then: no two are alike, the words stay real. */
function vary(base: readonly string[], random: () => number): string {
  const pick = () => base[Math.floor(random() * base.length)]!.split(' ');
  const [head, tail] = [pick(), pick()];
  const words = [...head.slice(0, head.length / 2), ...tail.slice(tail.length / 2)];
  if (random() < 0.3) words.splice(Math.floor(random() * words.length), 0, `ticket-${Math.floor(random() * 1e6)}`);
  return words.join(' ');
}

export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

import type { Item } from '../../src/evaluation/read-conversations.ts';
import { type Random, shuffled } from '../../src/evaluation/seeded-random.ts';

export interface Pool {
  name: string;
  items: readonly (Item & { conversation: string })[];
  questions: readonly { text: string; gold: readonly string[] }[];
  /** Questions that nothing here answers. */
  foreign: readonly string[];
}

export interface Drawn {
  items: Pool['items'];
  answerable: Pool['questions'];
  /** Of the same kind, but what answers them was left out. */
  neighbouring: readonly string[];
  foreign: readonly string[];
}

/** A store of this size that answers some questions and has lost the answers to others. */
export function drawStore(pool: Pool, { size, questions }: { size: number; questions: number }, random: Random): Drawn {
  const asked = shuffled(
    pool.questions.filter(({ gold }) => gold.length > 0),
    random,
  );
  const half = Math.ceil(questions / 2);
  const neighbouring = asked.slice(0, half);
  const left = new Set(neighbouring.flatMap(({ gold }) => gold));
  const kept = new Set<string>();
  const answerable: Pool['questions'][number][] = [];
  for (const question of asked.slice(half)) {
    if (answerable.length >= questions) break;
    if (question.gold.some((id) => left.has(id))) continue;
    const more = question.gold.filter((id) => !kept.has(id));
    if (kept.size + more.length > size) continue;
    for (const id of more) kept.add(id);
    answerable.push(question);
  }
  for (const { id } of shuffled(pool.items, random)) {
    if (kept.size >= size) break;
    if (!left.has(id)) kept.add(id);
  }
  return {
    items: pool.items.filter(({ id }) => kept.has(id)),
    answerable,
    neighbouring: neighbouring.map(({ text }) => text),
    foreign: shuffled(pool.foreign, random).slice(0, half),
  };
}

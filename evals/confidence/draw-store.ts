import type { Conversation, Item } from '../../src/features/evaluation/read-conversations.ts';
import { type Random, shuffled } from '../../src/features/evaluation/seeded-random.ts';

export interface Pool {
  name: string;
  conversations: readonly Conversation[];
  items: readonly (Item & { conversation: string })[];
  questions: readonly { text: string; gold: readonly string[] }[];
  /** Questions that nothing here answers. */
  foreign: readonly string[];
  /** Who speaks here and in those questions. */
  speakers: readonly string[];
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

/** A whole conversation that has lost the answers to a quarter of its questions at most. */
export function leaveOutSome(
  { name, items, questions }: Conversation,
  foreign: readonly string[],
  { questions: wanted, random }: { questions: number; random: Random },
): Drawn {
  const asked = shuffled(
    questions.filter(({ gold }) => gold.length > 0),
    random,
  );
  const left = asked.slice(0, Math.min(Math.ceil(wanted / 2), Math.floor(asked.length / 4)));
  const gone = new Set(left.flatMap(({ gold }) => gold));
  const never = questions.filter(({ gold }) => gold.length === 0);
  return {
    items: items.filter(({ id }) => !gone.has(id)).map((item) => ({ ...item, conversation: name })),
    answerable: asked
      .slice(left.length)
      .filter(({ gold }) => !gold.some((id) => gone.has(id)))
      .slice(0, wanted),
    neighbouring: [...left, ...never].map(({ text }) => text),
    foreign: shuffled(foreign, random).slice(0, Math.ceil(wanted / 2)),
  };
}

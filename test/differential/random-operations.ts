import { type Random, shuffled } from '../../src/features/evaluation/seeded-random.ts';
import type { StoreMemoryInput, UpdateMemoryInput } from '../../src/features/memories/memory.ts';
import type { ListFilter } from '../../src/model/filter.ts';
import type { JsonObject } from '../../src/model/json.ts';
import type { SearchQuery } from '../../src/model/search.ts';
import { START } from '../open-test-engine.ts';

const WORDS =
  'build node deploy server Größe ΟΔΟΣ Москва 認証 エラー cache token index query "quoted" 50% under_score C:\\path \u{1F980} naïve e\u0301clair straße ǅ ﬁne K\u212A I\u0307stanbul zażółć ß SS'.split(
    ' ',
  );
const TAGS = ['red', 'blue', '100%', 'x_y', "o'k", 'Größe', 'a b'];
const PROJECTS = ['ltm', 'Web', 'app'];
const TYPES = ['note', 'decision', 'preference', 'error'];

/** Choices from one stream of random numbers: the same seed, the same operations. */
export interface Dice {
  random: Random;
  below(limit: number): number;
  chance(probability: number): boolean;
  of<T>(list: readonly T[]): T;
  some<T>(list: readonly T[], most: number): T[];
}

export function makeDice(random: Random): Dice {
  const below = (limit: number) => Math.floor(random() * limit);
  return {
    random,
    below,
    chance: (probability) => random() < probability,
    of: (list) => list[below(list.length)]!,
    some: (list, most) => shuffled(list, random).slice(0, below(most + 1)),
  };
}

function words(dice: Dice, most: number): string {
  return Array.from({ length: 1 + dice.below(most) }, () => dice.of(WORDS)).join(' ');
}

export function randomMemory(dice: Dice): StoreMemoryInput {
  const content = dice.chance(0.1) ? Array.from({ length: 5 }, () => words(dice, 80)).join('\n\n') : words(dice, 12);
  return {
    content,
    tags: dice.some(TAGS, 3),
    type: dice.of(TYPES),
    ...(dice.chance(0.3) && { project: dice.of(PROJECTS) }),
    ...(dice.chance(0.15) && { key: `key ${dice.below(12)}` }),
    ...(dice.chance(0.2) && { conversation: `talk ${dice.below(4)}`, session: `session ${dice.below(3)}` }),
    ...(dice.chance(0.2) && { agent: dice.of(['codex', 'claude']) }),
    ...(dice.chance(0.2) && { quality: dice.below(11) / 10 }),
    ...(dice.chance(0.1) && { validUntil: START + dice.below(4000) }),
    ...(dice.chance(0.3) && { metadata: randomMetadata(dice) }),
    ...(dice.chance(0.1) && { idempotencyKey: `request ${dice.below(30)}` }),
    onDuplicate: dice.of(['report', 'store', 'merge', 'append', 'supersede', 'refuse'] as const),
  };
}

function randomMetadata(dice: Dice): JsonObject {
  return { a: dice.below(5), nested: { list: [1e21, -0.1, null, true, dice.of(WORDS)] }, constructor: 'own' };
}

export function randomUpdate(dice: Dice, ref: string): UpdateMemoryInput {
  return {
    ref,
    ...(dice.chance(0.5) && { content: words(dice, 12) }),
    ...(dice.chance(0.4) && { tags: dice.some(TAGS, 4) }),
    ...(dice.chance(0.3) && { metadata: randomMetadata(dice) }),
    ...(dice.chance(0.2) && { project: dice.chance(0.3) ? null : dice.of(PROJECTS) }),
    ...(dice.chance(0.2) && { quality: dice.below(11) / 10 }),
    ...(dice.chance(0.2) && { versioned: true }),
    ...(dice.chance(0.2) && { revision: 1 + dice.below(3) }),
    ...(dice.chance(0.2) && { reason: 'why not' }),
  };
}

function randomFilter(dice: Dice): ListFilter {
  return {
    ...(dice.chance(0.3) && { tags: dice.some(TAGS, 2), tagMatch: dice.of(['any', 'all'] as const) }),
    ...(dice.chance(0.2) && { types: dice.some(TYPES, 2) }),
    ...(dice.chance(0.2) && { project: dice.of(PROJECTS) }),
    ...(dice.chance(0.1) && { conversation: `talk ${dice.below(4)}` }),
    ...(dice.chance(0.1) && { minTrust: dice.of(['untrusted', 'agent', 'user'] as const) }),
    ...(dice.chance(0.2) && { includeSuperseded: true }),
    ...(dice.chance(0.15) && { after: START + dice.below(3000) }),
  };
}

export function randomListFilter(dice: Dice): ListFilter {
  return {
    ...randomFilter(dice),
    ...(dice.chance(0.4) && { contains: dice.of([...WORDS, 'e', 's', 'SS', 'STRASSE', 'fi', 'k', '%', '_']) }),
    ...(dice.chance(0.2) && { deleted: dice.of(['only', 'include'] as const) }),
    ...(dice.chance(0.1) && { key: `key ${dice.below(12)}` }),
    ...(dice.chance(0.1) && { idleSince: START + dice.below(5000) }),
  };
}

export function randomQuery(dice: Dice): SearchQuery {
  return {
    query: dice.chance(0.2)
      ? `"${words(dice, 2)}"`
      : dice.chance(0.2)
        ? `${dice.of(WORDS).slice(0, 3)}*`
        : words(dice, 4),
    mode: dice.of(['hybrid', 'hybrid', 'text', 'semantic', 'exact'] as const),
    filter: randomFilter(dice),
    limit: 1 + dice.below(20),
    ...(dice.chance(0.2) && { fallback: true }),
    ...(dice.chance(0.2) && { qualityBoost: 0.5 }),
    ...(dice.chance(0.1) && { maxChars: 200 }),
  };
}

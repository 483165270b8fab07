import type { Conversation } from '../../src/features/evaluation/read-conversations.ts';

/** A label that stands before fewer items is hardly a speaker's name. */
const MIN_ITEMS = 3;

export function listSpeakers(conversations: readonly Conversation[]): string[] {
  const counts = new Map<string, number>();
  for (const { text } of conversations.flatMap(({ items }) => items)) {
    const speaker = /^([^:\n]{1,25}): /.exec(text)?.[1];
    if (speaker !== undefined) counts.set(speaker, (counts.get(speaker) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count >= MIN_ITEMS).map(([speaker]) => speaker);
}

/** No role such as `user`. */
const IS_NAME = /^[\p{Lu}\p{Lo}]/u;

/** Every fourth question stays as it is; of the others, each that names a speaker of its own store names one of this store instead, who never spoke of it. */
export function putToSpeakers(
  questions: readonly string[],
  theirs: readonly string[],
  ours: readonly string[],
): string[] {
  const patterns = [...new Set(theirs)].filter((name) => IS_NAME.test(name) && !ours.includes(name)).map(patternOf);
  const own = ours.some((name) => /^(?:user|human)$/i.test(name));
  return questions.map((text, i) => {
    if (ours.length === 0 || i % 4 === 0) return text;
    return patterns.reduce(
      (put, pattern, k) =>
        put.replace(pattern, (_, ending: string | undefined) =>
          own ? (ending === undefined ? 'I' : 'my') : `${ours[(i + k) % ours.length]}${ending ?? ''}`,
        ),
      text,
    );
  });
}

function patternOf(name: string): RegExp {
  const literal = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}])${literal}(['’]s)?(?![\\p{L}])`, 'gu');
}

import type { Instant } from '../../model/ids.ts';
import { lateFunctions } from '../../model/late.ts';
import type { InstantOptions } from './read-time-phrase.ts';

/** The words for times in seven languages: whoever writes a date in figures does without. */
export const { readInstant, readTimePhrase } = lateFunctions(
  () => import('./read-time-phrase.ts'),
  'readInstant',
  'readTimePhrase',
);

/**
 * A date, a time or a phrase in the caller's zone. What is absent, or null where a field can be cleared, stays so. The reader of phrases is loaded when there
 * is one to read.
 */
export async function readTime<T extends string | null | undefined>(
  text: T,
  options: InstantOptions,
): Promise<Instant | Exclude<T, string>> {
  if (typeof text !== 'string') return text as Exclude<T, string>;
  return readInstant(text, options);
}

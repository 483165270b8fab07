import { safeLine } from '../safe-text.ts';

/** One line of at most so many characters as people count them: none is cut in two. */
export function cutGoal(goal: string, most: number): string {
  const line = safeLine(goal);
  const characters = Array.from(new Intl.Segmenter().segment(line), ({ segment }) => segment);
  return characters.length <= most ? line : `${characters.slice(0, most).join('')}…`;
}

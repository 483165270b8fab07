import type { Note } from '../../../engine/records/kind.ts';
import type { ContextLine } from './context-line.ts';

/** What every session is given before anything else: the next step, and how the person wants things done. */
const RESERVED: readonly (readonly [Note['about'], number])[] = [
  ['next', 1],
  ['rule', 2],
];
/** Which sorts may take how many places before the others have had theirs, where no prompt says what it is about. */
const PLACES: readonly (readonly [Note['about'], number])[] = [
  ['open', 2],
  ['failed', 1],
  ['decided', 3],
  ['other', 1],
];

/** Best first: what is always given, what was found for the prompt, and what the last sessions left, of every sort something. */
export function arrangeLines(found: readonly ContextLine[], standing: readonly ContextLine[]): ContextLine[] {
  return [...new Set([...pick(standing, RESERVED), ...found, ...pick(standing, PLACES), ...standing])];
}

function pick(lines: readonly ContextLine[], places: typeof PLACES): ContextLine[] {
  return places.flatMap(([about, count]) => lines.filter((line) => line.about === about).slice(0, count));
}

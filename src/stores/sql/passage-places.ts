import type { Passage } from '../../model/passage.ts';
import { sha256 } from '../../model/sha256.ts';

/** A passage as it is kept: its own text, or where it lies in the content of its record. */
export interface PlacedPassage extends Passage {
  starts_at: number | null;
  ends_at: number | null;
}

export const PASSAGE_COLUMNS = ['ordinal', 'text', 'starts_at', 'ends_at'] as const;

/** In the order of their ordinals. Most are pieces of the content, one after the other; the others keep their text. */
export function placePassages(passages: readonly Passage[], content: string): PlacedPassage[] {
  let from = 0;
  return passages
    .toSorted((a, b) => a.ordinal - b.ordinal)
    .map(({ ordinal, text }) => {
      const start = text === '' ? -1 : content.indexOf(text, from);
      if (start === -1) return { ordinal, text, starts_at: null, ends_at: null };
      from = start + text.length;
      return { ordinal, text: '', starts_at: start, ends_at: from };
    });
}

/** A text of its own counts, where there is one. */
export function textOf({ text, starts_at, ends_at }: PlacedPassage, content: string | undefined): string {
  if (text !== '' || starts_at === null || ends_at === null) return text;
  return content?.slice(starts_at, ends_at) ?? '';
}

/** Of the hash so much is kept: passages can be made anew, so that nobody gains by passing others off as them. */
const PASSAGES_SUM_LENGTH = 8;

export function checksumPassages(passages: readonly Passage[]): Buffer {
  return hashPassages(passages).subarray(0, PASSAGES_SUM_LENGTH);
}

/** Earlier releases kept all of the hash. */
export function matchesPassages(passages: readonly Passage[], checksum: Uint8Array | undefined): boolean {
  if (checksum === undefined || checksum.length < PASSAGES_SUM_LENGTH) return false;
  return hashPassages(passages).subarray(0, checksum.length).equals(checksum);
}

function hashPassages(passages: readonly Passage[]): Buffer {
  return sha256(JSON.stringify(passages.map(({ ordinal, text }) => [ordinal, text])));
}

import type { RecordId } from '../../model/ids.ts';

/** An id where it stands as a whole JSON string. */
const QUOTED_RECORD_ID = /"([0-9a-hjkmnp-tv-z]{20})"/g;
/** Characters of a text by which a receipt that quotes it is known: enough for a title or a first line. */
const BEGINNING = 32;

/** The records that an answer is about. It may repeat their words, so a purge of one of them must find it. */
export function findRecordIds(answer: string): RecordId[] {
  return [...new Set(Array.from(answer.matchAll(QUOTED_RECORD_ID), (match) => match[1]!))];
}

/** Whether an answer, as JSON, repeats the beginning of one of the texts. */
export function repeatsWords(answer: string, texts: readonly string[]): boolean {
  return texts.some((text) =>
    answer.includes(JSON.stringify(Array.from(text.trim()).slice(0, BEGINNING).join('')).slice(1, -1)),
  );
}

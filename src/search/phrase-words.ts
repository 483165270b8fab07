import type { Body, Part } from './index/part.ts';
import { encodeText } from './index/string-table.ts';
import { parseQuery } from './text/parse-query.ts';

/** Only of such words is it certain that a text which holds the phrase holds them as terms of their own. */
const PLAIN_WORD = /^[a-z0-9]+$/;

/** Words that a passage must hold before it is worth looking for the phrases in its text. */
export function listPhraseWords(phrases: readonly string[]): string[] {
  const words = new Set<string>();
  for (const phrase of phrases) {
    const { terms } = parseQuery(phrase);
    for (const [i, { term, kind, group }] of terms.entries()) {
      const isWholeOfParts = terms[i + 1]?.group === group && terms[i - 1]?.group !== group;
      if (kind === 'word' && !isWholeOfParts && PLAIN_WORD.test(term)) words.add(term);
    }
  }
  return [...words];
}

/** The docs of the mask that hold every required word. */
export function maskPhraseWords(
  { columns }: Part,
  { words }: Body,
  { required, mask }: { required: readonly string[]; mask: Uint8Array | null },
): Uint8Array {
  const held = new Uint8Array(columns.docCount);
  required.forEach((word, i) => {
    const postings = words.find({ text: word, bytes: encodeText(word) });
    for (const doc of postings?.docs ?? []) if (held[doc] === i) held[doc] = i + 1;
  });
  for (let doc = 0; doc < held.length; doc++) held[doc] = held[doc] === required.length && mask?.[doc] !== 0 ? 1 : 0;
  return held;
}

import { createHash, randomBytes } from 'node:crypto';
import { EngineError } from '../../../model/errors.ts';
import { WORD_LIST } from './word-list.ts';

const SECRET_BYTES = 24;
const CHECK_BYTES = 3;
/** 27 bytes in nine bits each. */
export const WORD_COUNT = 24;
const BITS = 9;
/** As many letters as tell each word from all others. */
const TELLING = 4;

export function newWordSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** A secret as words that people can write down, with a check by which slips are noticed. */
export function toWords(secret: Uint8Array): string[] {
  const bits = [...secret, ...checkOf(secret)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return Array.from(
    { length: WORD_COUNT },
    (_, i) => WORD_LIST[Number.parseInt(bits.slice(i * BITS, (i + 1) * BITS), 2)]!,
  );
}

/** Whatever stands between them; the first four letters of each are enough. */
export function fromWords(text: string): Buffer {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  if (words.length !== WORD_COUNT)
    throw refuse(`There are ${WORD_COUNT} recovery words, and these are ${words.length}.`);
  const numbers = words.map((word, i) => {
    const found = WORD_LIST.findIndex((known) => known === word || isBeginning(word, known));
    if (found === -1) throw refuse(`Word ${i + 1} is none of the recovery words.`);
    return found;
  });
  const bits = numbers.map((number) => number.toString(2).padStart(BITS, '0')).join('');
  const bytes = Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)));
  const secret = bytes.subarray(0, SECRET_BYTES);
  if (!checkOf(secret).equals(bytes.subarray(SECRET_BYTES)))
    throw refuse('These words do not fit together: one is wrong, or two have changed places.');
  return secret;
}

function isBeginning(word: string, known: string): boolean {
  return word.length >= TELLING && known.startsWith(word);
}

function checkOf(secret: Uint8Array): Buffer {
  return createHash('sha256').update('ltm recovery words\n').update(secret).digest().subarray(0, CHECK_BYTES);
}

function refuse(message: string): EngineError {
  return new EngineError('invalid_input', message, {
    hint: 'They were shown once, when the space was sealed, or when its words were changed last.',
    details: { field: 'words' },
  });
}

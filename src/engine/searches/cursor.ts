import { crc32 } from 'node:zlib';
import { canonicalJson } from '../../model/canonical-json.ts';
import { EngineError } from '../../model/errors.ts';

/** Says where the next page of one particular query begins. Digits, since a model pays for it: it reads three of them as one token. */
export function writeCursor(offset: number, fingerprint: string): string {
  return `${offset}.${fingerprint}`;
}

const CURSOR = /^(\d{1,9})\.(\d+\.\d+)$/;

/** The offset, if the cursor was made for a query of this fingerprint. */
export function readCursor(cursor: string, fingerprint: string): number {
  const [, offset, made] = CURSOR.exec(cursor) ?? [];
  if (made !== fingerprint) {
    throw new EngineError('invalid_cursor', 'This cursor does not belong to this search.', {
      hint: 'Repeat the same search with the cursor from its last answer, or omit the cursor to start again.',
    });
  }
  return Number(offset);
}

/** The same for the same query, in whatever order its fields come. It guards against a mistake, not against an attack: whoever asks may see every page. */
export function fingerprintOf(query: object): string {
  const text = canonicalJson(query);
  return `${crc32(text)}.${text.length}`;
}

import { findSecrets } from './find-secrets.ts';
import { isPiece } from './key-body.ts';
import type { Range } from './secret-rule.ts';

/** Lines of one key are no further apart than this, whatever stands between them. */
const NEAR = 480;
const HEAD = /PRIVATE|PuTTY-User-Key|Private-Lines/;
const LAST = /-{4} ?END|Private-(?:MAC|Hash)/;
const PIECES = /[A-Za-z0-9+/]{14,}/g;

/** Whether a private key may go on from one text into the next: then neither is looked at without the other. */
export function mayPartKey(before: string, after: string): boolean {
  const next = after.slice(0, NEAR);
  if (!LAST.test(next) && !hasPiece(next)) return false;
  const last = before.slice(-NEAR);
  return HEAD.test(last) || hasPiece(last);
}

function hasPiece(text: string): boolean {
  return text.match(PIECES)?.some(isPiece) === true;
}

export function findKeys(text: string): Range[] {
  return findSecrets(text)
    .filter(({ kind, mode }) => kind === 'private-key' && mode === 'redact')
    .map(({ start, end }): Range => [start, end]);
}

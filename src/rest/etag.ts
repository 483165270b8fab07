import { RequestProblem } from './error-response.ts';

export function toEtag(revision: number): string {
  return `"${revision}"`;
}

/** The revision that an If-Match header asks for; undefined where any will do. */
export function readIfMatch(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const match = /^"(\d{1,15})"$/.exec(header.trim());
  if (match !== null && Number(match[1]) > 0) return Number(match[1]);
  throw new RequestProblem('invalid_input', 'The header If-Match does not hold an ETag of a memory.', {
    hint: 'Send the ETag as it came, in its quotes: "3".',
    errors: [{ field: 'If-Match', message: 'must be one ETag or *' }],
  });
}

/** Weak or strong, one of several, or `*`. */
export function matchesIfNoneMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((item) => item.trim() === '*' || item.trim().replace(/^W\//, '') === etag);
}

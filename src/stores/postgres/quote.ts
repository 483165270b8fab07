/** For the few places where SQL takes no parameters (SET, CREATE SCHEMA). */
export function quoteLiteral(text: string): string {
  const quoted = encodeText(text).replaceAll("'", "''");
  return quoted.includes('\\') ? ` E'${quoted.replaceAll('\\', '\\\\')}'` : `'${quoted}'`;
}

export function quoteName(name: string): string {
  return `"${encodeText(name).replaceAll('"', '""')}"`;
}

/**
 * PostgreSQL's text cannot hold NUL, SQLite's and JavaScript's can. U+FDD0, a code point that Unicode leaves to programs for their own use, stands
 * before what replaces it: `0` for NUL, `1` for itself. Half a surrogate pair becomes U+FFFD on its way to either database.
 */
const MARK = '\u{fdd0}';

export function encodeText(text: string): string {
  if (!text.includes('\0') && !text.includes(MARK)) return text;
  return text.replaceAll(MARK, `${MARK}1`).replaceAll('\0', `${MARK}0`);
}

export function decodeText(text: string): string {
  if (!text.includes(MARK)) return text;
  return text.replaceAll(`${MARK}0`, '\0').replaceAll(`${MARK}1`, MARK);
}

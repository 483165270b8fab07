/** A short name at the very start, a colon, and something said after it. */
const LABEL = /^\s{0,8}([\p{L}][\p{L}\p{M}\p{N} .'’_-]{0,30}?)\s?(?::\s|：)\s*\S/u;
const COLON = /[:：]/;
const MAX_WORDS = 3;

/** Who says a turn, lower-cased: the `Name:` it begins with. null where it begins with none. */
export function readSpeaker(text: string): string | null {
  const start = text.slice(0, 60);
  // Most texts begin with no name; to find out by the expression, a process must have its tables of letters ready first.
  if (!COLON.test(start)) return null;
  const name = LABEL.exec(start)?.[1]?.trim().toLowerCase();
  return name === undefined || name.split(/\s+/).length > MAX_WORDS ? null : name;
}

/** The position itself, or one earlier where it would part the two halves of a character. */
export function avoidPair(text: string, position: number): number {
  const before = text.charCodeAt(position - 1);
  return before >= 0xd800 && before <= 0xdbff ? position - 1 : position;
}

/** At most so many characters, never half of one. */
export function cutText(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : text.slice(0, avoidPair(text, maxChars));
}

/** The same, with a sign that something is missing. */
export function shorten(text: string, maxChars: number, sign = '…'): string {
  return text.length <= maxChars ? text : cutText(text, maxChars) + sign;
}

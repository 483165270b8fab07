/** Control characters other than tab and newline, Unicode tags, bidirectional overrides and invisible marks: ways to show a person one text and a model another. */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
const LINE_BREAKS = /\r\n?|[\u0085\u2028\u2029]/g;

export function cleanText(text: string): string {
  return text.replace(LINE_BREAKS, '\n').replace(HIDDEN, '');
}

/** The same for every string inside a JSON value, keys included. */
export function cleanJson(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(cleanJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [cleanText(key), cleanJson(inner)]));
}

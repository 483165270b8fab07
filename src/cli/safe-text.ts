// Stored text comes from anywhere: an escape sequence in it could rewrite the screen or the clipboard of whoever looks at it.

/** C0 but tab and newline, DEL, C1, and the characters that reverse or hide text. */
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to show instead of send
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu;
/** What JSON.stringify leaves as it is. */
const UNSAFE_IN_JSON = /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** The text with every character that could act on a terminal shown instead of sent. */
export function safeText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(UNSAFE, showCharacter).replaceAll('\t', '    ');
}

export function safeLine(text: string): string {
  return safeText(text).replace(/\s+/g, ' ').trim();
}

/** Escapes inside JSON text; it still parses to the same value. */
export function safeJson(json: string): string {
  return json.replace(UNSAFE_IN_JSON, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function showCharacter(character: string): string {
  const code = character.codePointAt(0)!;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return `\\u{${code.toString(16)}}`;
}

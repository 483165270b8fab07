// Stored text comes from anywhere: an escape sequence in it could rewrite the screen or the clipboard of whoever looks at it.

import { matchHidden } from '../model/hidden-characters.ts';

export { escapeHiddenInJson as safeJson } from '../model/hidden-characters.ts';

const HIDDEN = matchHidden();

/** The text with every character that could act on a terminal shown instead of sent. */
export function safeText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(HIDDEN, showCharacter).replaceAll('\t', '    ');
}

export function safeLine(text: string): string {
  return safeText(text).replace(/\s+/g, ' ').trim();
}

function showCharacter(character: string): string {
  const code = character.codePointAt(0)!;
  return code < 0x20 ? String.fromCodePoint(0x2400 + code) : `\\u{${code.toString(16)}}`;
}

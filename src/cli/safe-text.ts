// Stored text comes from anywhere: an escape sequence in it could rewrite the screen or the clipboard of whoever looks at it.

import { groupDigits } from '../model/group-digits.ts';
import { matchHidden } from '../model/hidden-characters.ts';
import type { Instant } from '../model/ids.ts';
import { describeAge } from '../model/instant.ts';

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

/** "3 days ago", "yesterday", "just now". */
export function showAge(then: Instant, now: Instant): string {
  return describeAge(then, now, 'auto');
}

/** In the zone of the person at the terminal. */
export function showTime(instant: Instant): string {
  const date = new Date(instant - new Date(instant).getTimezoneOffset() * 60_000);
  return date.toISOString().slice(0, 16).replace('T', ' ');
}

export function showBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const power = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return power === 0 ? `${bytes} bytes` : `${(bytes / 1024 ** power).toFixed(1)} ${units[power]}`;
}

export function showCount(count: number, noun: string, plural = `${noun}s`): string {
  return `${groupDigits(count)} ${count === 1 ? noun : plural}`;
}

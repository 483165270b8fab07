import { isObject } from '../../model/json-text.ts';

/** Starts `ltm mcp`, however it is found: what set-up writes, and nothing else that bears our name. */
export function isOwnEntry(entry: unknown): boolean {
  if (!isObject(entry)) return false;
  const words = [entry.command ?? entry.cmd, entry.args].flat();
  return words.some(isOurProgram) && words.includes('mcp');
}

function isOurProgram(word: unknown): boolean {
  return typeof word === 'string' && /(^|[\\/])ltm(\.c?js|\.cmd|\.exe)?$|^ltm@/.test(word);
}

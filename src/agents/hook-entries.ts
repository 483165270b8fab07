import type { Program } from './agent.ts';

/** The hook itself ends within a second; this is for a machine that stands still. */
export const HOOK_SECONDS = 10;

type Fields = Readonly<Record<string, unknown>>;

/** As Claude Code has it, and those who follow it: each event has items with a matcher and handlers. */
export function matchedHooks(
  events: readonly string[],
  handler: Fields,
  { matcher, matches }: { matcher: string; matches: RegExp },
): Record<string, Fields> {
  return Object.fromEntries(
    events.map((event) => [event, matches.test(event) ? { matcher, hooks: [handler] } : { hooks: [handler] }]),
  );
}

/** Each event has the handlers themselves. */
export function flatHooks(events: readonly string[], handler: Fields): Record<string, Fields> {
  return Object.fromEntries(events.map((event) => [event, handler]));
}

/** The line that an agent hands to a shell. */
export function hookLine({ command, args }: Program, platform: NodeJS.Platform): string {
  return [command, ...args].map((word) => quoteWord(word, platform)).join(' ');
}

function quoteWord(word: string, platform: NodeJS.Platform): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", `'\\''`)}'`;
}

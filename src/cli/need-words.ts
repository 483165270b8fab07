import type { Arguments } from './read-arguments.ts';
import { UsageError } from './usage-error.ts';

/** The memories that the command line names; at least one. */
export function needWords({ words }: Arguments, command: string): readonly string[] {
  if (words.length === 0)
    throw new UsageError(
      `\`ltm ${command}\` needs the id, hash or key of a memory.`,
      `\`ltm list\` shows ids; \`ltm help ${command}\` shows examples.`,
    );
  return words;
}

import { describeLeftOut } from '../model/damage.ts';
import type { Arguments } from './read-arguments.ts';
import { EXIT, UsageError } from './report-error.ts';
import { safeLine } from './safe-text.ts';
import type { Terminal } from './terminal.ts';

/** The memories that the command line names; at least one. */
export function needRefs({ words }: Arguments, command: string): readonly string[] {
  if (words.length === 0)
    throw new UsageError(
      `\`ltm ${command}\` needs the id, hash or key of a memory.`,
      `\`ltm list\` shows ids; \`ltm help ${command}\` shows examples.`,
    );
  return words;
}

/** Says what an answer leaves out because it is damaged, and how the command ends. */
export function tellDamaged(damaged: readonly string[] | undefined, { warn }: Terminal): number {
  if (damaged === undefined) return EXIT.ok;
  warn(safeLine(describeLeftOut(damaged)));
  return EXIT.incomplete;
}

/** As much of an id as people type elsewhere. */
const SHORT_BEGINNING = /^01[0-9a-hjkmnp-tv-z]{2,5}$/;

/** Says which of them are not there, and how the command ends. */
export function tellMissing(missing: readonly string[], noun: string, { warn, note }: Terminal): number {
  for (const ref of missing) warn(`there is no ${noun} "${safeLine(ref)}"`);
  if (missing.some((ref) => SHORT_BEGINNING.test(ref))) note('The beginning of an id needs 8 characters.');
  return missing.length === 0 ? EXIT.ok : EXIT.notFound;
}

import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { makeCompletion, SHELLS, type Shell } from '../make-completion.ts';
import { UsageError } from '../usage-error.ts';

export async function run({ args, terminal }: CommandContext): Promise<number> {
  const [shell] = args.words;
  if (!SHELLS.includes(shell as Shell))
    throw new UsageError('`ltm completion` needs the name of a shell: bash, zsh or fish.');
  terminal.streams.stdout.write(makeCompletion(shell as Shell));
  return EXIT.ok;
}

import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { findCommand, showCommandHelp, showOverview } from '../show-help.ts';

export async function run({ args, terminal }: CommandContext): Promise<number> {
  const [name] = args.words;
  if (name === undefined) showOverview(terminal);
  else showCommandHelp(findCommand(name), terminal);
  return EXIT.ok;
}

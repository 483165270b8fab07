import type { Command, CommandContext } from '../command.ts';
import { COMMANDS } from '../command-table.ts';
import { EXIT } from '../exit-codes.ts';
import { GLOBAL_FLAGS } from '../flags.ts';
import { findCommand, showCommandHelp, showOverview } from '../show-help.ts';

export async function run({ args, terminal, json }: CommandContext): Promise<number> {
  const [name] = args.words;
  const command = name === undefined ? undefined : findCommand(name);
  if (json)
    terminal.printJson(
      command === undefined ? { commands: COMMANDS.map(describe), flags: GLOBAL_FLAGS } : describe(command),
    );
  else if (command === undefined) showOverview(terminal);
  else showCommandHelp(command, terminal);
  return EXIT.ok;
}

function describe({ name, summary, usage, about, flags, examples }: Command): object {
  return { name, summary, usage, about: about ?? null, flags, examples };
}

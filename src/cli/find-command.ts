import { nearestName } from '../model/nearest-name.ts';
import type { Command } from './command.ts';
import { completeLine } from './complete-line.ts';
import { UsageError } from './report-error.ts';
import { MEMORY_COMMANDS } from './tables/memory-commands.ts';

/** What people call most is found without loading what all the others are. */
export async function findCommand(name: string): Promise<Command> {
  const often = MEMORY_COMMANDS.find((line) => line.name === name);
  if (often !== undefined) return completeLine(often);
  const { COMMANDS } = await import('./command-table.ts');
  const found = COMMANDS.find((command) => command.name === name);
  if (found !== undefined) return found;
  const nearest = nearestName(
    name,
    COMMANDS.map((command) => command.name),
  );
  throw new UsageError(
    `There is no command "${name}".`,
    nearest === null ? '`ltm help` lists them.' : `Did you mean \`ltm ${nearest}\`?`,
  );
}

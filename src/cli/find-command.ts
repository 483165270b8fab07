import type { Feature } from '../features/feature.ts';
import { FEATURES } from '../features/features.ts';
import { COMMAND_HOMES } from '../features/names.ts';
import { nearestName } from '../model/nearest-name.ts';
import type { Command, CommandLine } from './command.ts';
import { completeLine } from './complete-line.ts';
import { UsageError } from './report-error.ts';

/** Loads the feature that has the command, and no other. */
export async function findCommand(name: string): Promise<Command> {
  const home = Object.hasOwn(COMMAND_HOMES, name) ? COMMAND_HOMES[name as keyof typeof COMMAND_HOMES] : null;
  const found = home === null ? undefined : (await linesOf(home)).find((line) => line.name === name);
  if (found !== undefined) return completeLine(found);
  const nearest = nearestName(name, Object.keys(COMMAND_HOMES));
  throw new UsageError(
    `There is no command "${name}".`,
    nearest === null ? '`ltm help` lists them.' : `Did you mean \`ltm ${nearest}\`?`,
  );
}

/** Systems bear names that features have, too. */
const OF_SYSTEMS = 'compat/';

async function linesOf(home: string): Promise<readonly CommandLine[]> {
  if (home === 'cli') return (await import('./own-commands.ts')).OWN_COMMANDS;
  const declared: readonly Feature[] = home.startsWith(OF_SYSTEMS) ? await systems() : FEATURES;
  const found = declared.find(({ name }) => name === home.replace(OF_SYSTEMS, ''));
  return (await found?.commands?.()) ?? [];
}

async function systems(): Promise<readonly Feature[]> {
  return (await import('../compat/systems.ts')).SYSTEMS;
}

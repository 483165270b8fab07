import type { Flag } from './command.ts';

/** Understood by every command, before or after its name. */
export const GLOBAL_FLAGS: readonly Flag[] = [
  { name: 'db', value: 'FILE', description: 'The database to use.' },
  { name: 'server', value: 'URL', description: 'The server to use instead of the database of this machine.' },
  { name: 'local', description: 'Use the database of this machine even when signed in to a server.' },
  { name: 'config', value: 'FILE', description: 'The config file to use.' },
  { name: 'json', description: 'Print the result as JSON.' },
  { name: 'quiet', short: 'q', description: 'Print results and errors only.' },
  { name: 'help', short: 'h', description: 'Show how the command is used.' },
];

export const PAGE_FLAGS: readonly Flag[] = [
  { name: 'limit', short: 'n', value: 'N', description: 'How many to show.' },
  { name: 'cursor', value: 'CURSOR', description: 'Go on where an earlier answer stopped.' },
];

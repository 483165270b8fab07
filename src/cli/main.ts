import type { Environment } from '../server/settings.ts';
import type { Streams } from './terminal.ts';

/** Runs one command line and resolves to its exit code. */
export async function main(argv: readonly string[], env: Environment, streams: Streams = process): Promise<number> {
  // An agent waits for this one: nothing else is loaded before it answers.
  const flags = readPlainMcp(argv);
  if (flags !== null) {
    const { runMcp } = await import('../server/run-mcp.ts');
    return runMcp({ env, flags });
  }
  const { runCommand } = await import('./run-command.ts');
  return runCommand(argv, env, streams);
}

/** `ltm mcp` as agents are told to start it, with or without --db; anything more goes the common way. */
function readPlainMcp([command, flag, value, ...more]: readonly string[]): Record<string, string> | null {
  if (command !== 'mcp' || more.length > 0) return null;
  if (flag === undefined) return {};
  if (flag === '--db' && value !== undefined && !value.startsWith('-')) return { db: value };
  return flag.startsWith('--db=') && value === undefined ? { db: flag.slice('--db='.length) } : null;
}

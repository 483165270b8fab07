import type { Environment } from '../server/settings.ts';
import type { Streams } from './terminal.ts';

/** Runs one command line and resolves to its exit code. */
export async function main(argv: readonly string[], env: Environment, streams: Streams = process): Promise<number> {
  // An agent waits for this one: nothing else is loaded before it answers.
  if (argv.length === 1 && argv[0] === 'mcp') {
    const { runMcp } = await import('../server/run-mcp.ts');
    return runMcp({ env });
  }
  const { runCommand } = await import('./run-command.ts');
  return runCommand(argv, env, streams);
}

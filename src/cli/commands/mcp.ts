import { runMcp } from '../../server/run-mcp.ts';
import type { CommandContext } from '../command.ts';

export async function run({ sources }: CommandContext): Promise<number> {
  return runMcp(sources);
}

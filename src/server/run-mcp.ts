import type { Engine } from '../engine/engine.ts';
import type { Caller } from '../model/caller.ts';
import type { ConfigSources } from './config.ts';

const LINGER_MS = 100;

/** Serves one agent over stdin and stdout until stdin ends. Settings and database are opened at the first call that needs them. */
export async function runMcp(sources: ConfigSources): Promise<number> {
  if (process.stdin.isTTY) process.stderr.write('`ltm mcp` is for agents, which start it and speak MCP with it; `ltm help mcp` shows how. Ctrl-D ends it.\n');
  const { serveMcpOverStdio } = await import('../mcp/stdio.ts');
  await serveMcpOverStdio(() => openForAgent(sources));
  // A call that is stuck in the network must not keep the process when its client is gone.
  setTimeout(() => process.exit(0), LINGER_MS).unref();
  return 0;
}

async function openForAgent(sources: ConfigSources): Promise<{ engine: Engine; caller: Caller }> {
  const [{ openLocalSession }, { upkeepAfterWrites }] = await Promise.all([import('./local-session.ts'), import('./jobs.ts')]);
  const { engine, caller, config, log } = await openLocalSession(sources, 'mcp');
  return { engine: upkeepAfterWrites(engine, { everySeconds: config.upkeepSeconds, log }), caller };
}

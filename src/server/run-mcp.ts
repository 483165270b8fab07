import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { OUTGOING } from '../features/early.ts';
import type { AgentService, RunningBriefly } from '../features/host.ts';
import { instructionsFor, TOOL_FAMILIES } from '../mcp/family-names.ts';
import { serveMcpOverStdio } from '../mcp/stdio.ts';
import { readFamilies } from '../mcp/tool-table.ts';
import { EngineError } from '../model/errors.ts';
import { lateFunctions } from '../model/late.ts';
import { clientFolder, configFilePath } from '../settings/user-folders.ts';
import type { ForAgent, Told } from './agent-process.ts';

/** Settings, engine and tools: the first answer does not wait for them. */
const agentProcess = () => import('./agent-process.ts');
const { readSettings, openForAgent, loadTools, openServices } = lateFunctions(
  agentProcess,
  'readSettings',
  'openForAgent',
  'loadTools',
  'openServices',
);
const { bridge } = lateFunctions(() => import('../client/bridge.ts'), 'bridge');
const { createServerClient } = lateFunctions(() => import('../client/server-client.ts'), 'createServerClient');

const LINGER_MS = 100;
/** Naming a database means that one, whatever server the person uses otherwise. */
const DATABASE_VARIABLES = ['LTM_DB', 'LTM_DB_PATH', 'MCP_MEMORY_SQLITE_PATH'];

/**
 * Serves one agent over stdin and stdout until stdin ends: from the server this person has signed in to, or else from the database of this machine.
 * Settings and database are opened at the first call that needs them.
 */
export async function runMcp(told: Told): Promise<number> {
  if (process.stdin.isTTY)
    process.stderr.write('`ltm mcp` is started by agents and speaks MCP; see `ltm help mcp`. Press Ctrl-D to stop.\n');
  if (mayBeRemote(told)) {
    const config = await readSettings(told);
    const { server } = config;
    if (server !== null) {
      const takeLast = tendSoon(async () => (service) => service.far(config, told.env ?? {}));
      const url = new URL(`${server}/mcp${toolsQuery(told)}`);
      return runBridge(url, await createServerClient(told.env ?? {}, server), takeLast);
    }
  }
  const families = await chooseFamilies(told);
  const shared = shareOpening(
    () => openForAgent(told),
    () => takeLast(),
  );
  const takeLast = tendSoon(async () => {
    const config = await readSettings(told);
    return (service) => service.near(config, shared.open);
  });
  await serveMcpOverStdio(shared.open, {
    loadTools: () => loadTools(told),
    prepare: agentProcess,
    listed: families === null ? undefined : { families, instructions: instructionsFor(families) },
  });
  await takeLast();
  await shared.close();
  endSoon();
  return 0;
}

/** Opened once, by the first call or the first event; closed once, after what is left to do. A failed opening is tried again. */
function shareOpening(
  open: () => Promise<ForAgent>,
  finish: () => Promise<unknown>,
): { open(): Promise<ForAgent>; close(): Promise<void> } {
  let opened: Promise<ForAgent> | null = null;
  let closing: Promise<void> | null = null;
  const openOnce = async (): Promise<ForAgent> => {
    const session = await open();
    const close = (): Promise<void> => {
      closing ??= finish().then(() => session.engine.close());
      return closing;
    };
    return { ...session, engine: { ...session.engine, close } };
  };
  return {
    open() {
      opened ??= openOnce().catch((error: unknown) => {
        opened = null;
        throw error;
      });
      return opened;
    },
    close: async () => (await opened?.catch(() => undefined))?.engine.close(),
  };
}

/** Long enough for the first answers to an agent that is just starting. */
const FIRST_LOOK_MS = 1500;

/** Nothing is lost when it is not enough, or when the agent ends this program before: the next one takes in the rest. */
const LAST_LOOK_MS = 5000;

type OpenForAgent = (service: AgentService) => RunningBriefly | null;

/**
 * Features do what waits, whether or not a tool is ever called. The answer has them do what came last, of sessions too short for a first look as well: the next
 * session wants to know of it at its start.
 */
function tendSoon(start: () => Promise<OpenForAgent>): () => Promise<unknown> {
  let opened: Promise<readonly RunningBriefly[]> | null = null;
  const look = (): Promise<readonly RunningBriefly[]> => {
    opened ??= start()
      .then(openServices)
      .catch(() => []); // told by the first call that needs the same
    return opened;
  };
  const timer = setTimeout(look, FIRST_LOOK_MS).unref();
  const takeLast = (): Promise<unknown> => {
    clearTimeout(timer);
    const late = new Promise((resolve) => setTimeout(resolve, LAST_LOOK_MS));
    return Promise.race([look().then((found) => Promise.all(found.map((each) => each.takeLast()))), late]);
  };
  let last: Promise<unknown> | null = null;
  return () => {
    last ??= takeLast();
    return last;
  };
}

/** Carries MCP between stdin and stdout and a server. */
export async function runBridge(
  url: URL,
  client: Parameters<typeof import('../client/bridge.ts').bridge>[1],
  takeLast?: () => Promise<unknown>,
): Promise<number> {
  const checks = await Promise.all(OUTGOING.map((load) => load()));
  const hold = async (message: unknown): Promise<object | null> => {
    for (const check of checks) {
      const answer = await check(message);
      if (answer !== null) return answer;
    }
    return null;
  };
  await bridge(url, client, { input: process.stdin, output: process.stdout, hold });
  await takeLast?.();
  endSoon();
  return 0;
}

/** A call that is stuck in the network must not keep the process when its client is gone. */
function endSoon(): void {
  setTimeout(() => process.exit(0), LINGER_MS).unref();
}

/** Without a look into any file, only whether there is one: most agents start a local database, and settings are read when they are needed. */
function mayBeRemote({ flags = {}, env = {}, file }: Told): boolean {
  if (flags.db !== undefined || flags.local === true) return false;
  if (flags.server !== undefined) return true;
  if (DATABASE_VARIABLES.some((name) => env[name])) return false;
  if (env.LTM_SERVER || env.LTM_HOST?.includes('://') === true) return true;
  return existsSync(file ?? configFilePath(env)) || existsSync(join(clientFolder(env), 'config.toml'));
}

function toolsQuery({ flags = {}, env = {} }: Told): string {
  const named = flags.tools ?? env.LTM_TOOLS;
  return typeof named === 'string' && named !== '' ? `?tools=${encodeURIComponent(named)}` : '';
}

/** null: the usual ones, which need no settings to be read. A config file that cannot be used is told to the first call that needs it. */
async function chooseFamilies(told: Told): Promise<readonly string[] | null> {
  const { flags = {}, env = {} } = told;
  const named = flags.tools ?? env.LTM_TOOLS;
  if (typeof named === 'string' && named !== '') return readFamilies(named, TOOL_FAMILIES);
  if (!existsSync(told.file ?? configFilePath(env))) return null;
  try {
    return (await readSettings(told)).tools;
  } catch (error) {
    if (error instanceof EngineError) return null;
    throw error;
  }
}

import process from 'node:process';
import type { Log } from '../engine/ports.ts';
import type { Message } from '../model/json-rpc.ts';
import type { CallSession } from '../verbs/verb.ts';
import { nameClient, type Opened } from './access.ts';
import { createHandshake } from './handshake.ts';
import { createProgress } from './report-progress.ts';
import { type Behind, type Streams, serveStdioFront } from './stdio-front.ts';
import { DEFAULT_FAMILIES, type ToolTable } from './tool-table.ts';

export interface StdioOptions extends Partial<Streams> {
  log?: Log;
  /** Asked at the first message that needs it. */
  loadTools(): Promise<ToolTable>;
  /** Reads what `open` and the tools are made of, and opens nothing. */
  prepare?(): Promise<unknown>;
  /** What is listed, where not the usual tools. */
  listed?: { families: readonly string[]; instructions: string };
}

/** Methods that will want the engine; the others load only the protocol. */
const NEEDS_ENGINE: ReadonlySet<string> = new Set(['tools/call', 'resources/read', 'prompts/get']);

/**
 * Serves MCP on standard input and output until the input ends; at most 2 s later everything is closed and the promise resolves. Ending the process is the caller's.
 * The engine is opened by the first call that needs it, once; a failed opening is told to that call and tried again by the next.
 */
export async function serveMcpOverStdio(open: () => Promise<Opened>, options: StdioOptions): Promise<void> {
  const { input = process.stdin, output = process.stdout, log = stderrLog, loadTools, prepare, listed } = options;
  let opened: Promise<Opened> | null = null;

  const startOpening = (): Promise<Opened> => {
    opened ??= open();
    return opened;
  };
  const openOnce = async (): Promise<Opened> => {
    const attempt = startOpening();
    try {
      const opened = await attempt;
      return { ...opened, caller: (await opened.callerNow?.()) ?? opened.caller };
    } catch (error) {
      if (opened === attempt) opened = null;
      throw error;
    }
  };

  const startSoon = () =>
    startOpening().catch((error: unknown) => log.warn('mcp_open_failed', { message: String(error) }));
  const families = listed?.families ?? DEFAULT_FAMILIES;
  const session: CallSession = { workspace: null };
  const readTools = keepUnlessFailed(loadTools);
  const readCalling = keepUnlessFailed(() => Promise.all([import('./call-tool.ts'), readTools()]));

  const behind: Behind = {
    async load(send, firstMethod) {
      if (NEEDS_ENGINE.has(firstMethod)) void startSoon();
      const [{ createStdioBackend }, tools] = await Promise.all([import('./stdio-backend.ts'), readTools()]);
      return createStdioBackend(send, openOnce, { log, tools, families, session });
    },
    async call({ params: { name, arguments: args, _meta } }, client, send) {
      if (opened === null) void startSoon();
      const [{ callTool }, tools] = await readCalling();
      const tool = tools.find(name, families);
      if (tool === undefined) return null;
      const notify = async (notice: Pick<Message, 'method' | 'params'>) => send({ jsonrpc: '2.0', ...notice });
      const onProgress = createProgress(_meta?.progressToken, notify, log);
      const open = async () => nameClient(await openOnce(), client);
      return callTool(tool, args, { open, log, session, onProgress });
    },
    prepare: () => Promise.all([readCalling(), prepare?.()]),
    close: async () => (await opened?.catch(() => null))?.engine.close(),
  };
  const handshake = listed && { unknown: ['tools/list', 'server/discover'], instructions: listed.instructions };
  await serveStdioFront({ input, output }, behind, createHandshake(handshake));
}

/** Done once; what failed is tried again. */
function keepUnlessFailed<T>(work: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | null = null;
  return () => {
    kept ??= work().catch((error: unknown) => {
      kept = null;
      throw error;
    });
    return kept;
  };
}

const logAt =
  (level: string): Log['info'] =>
  (event, facts) =>
    void process.stderr.write(`${JSON.stringify({ level, event, ...facts })}\n`);
const stderrLog: Log = { info: logAt('info'), warn: logAt('warn'), error: logAt('error') };

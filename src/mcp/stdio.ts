import process from 'node:process';
import type { Log } from '../engine/ports.ts';
import type { Opened } from './access.ts';
import { createHandshake } from './handshake.ts';
import { type LoadBackend, type Streams, serveStdioFront } from './stdio-front.ts';
import type { ToolTable } from './tool-table.ts';

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

  const load: LoadBackend = async (send, firstMethod) => {
    if (NEEDS_ENGINE.has(firstMethod))
      startOpening().catch((error: unknown) => log.warn('mcp_open_failed', { message: String(error) }));
    const [{ createStdioBackend }, tools] = await Promise.all([import('./stdio-backend.ts'), loadTools()]);
    const backend = createStdioBackend(send, openOnce, { log, tools, families: listed?.families });
    return {
      receive: backend.receive,
      close: async () => {
        await backend.close();
        if (opened !== null) await (await opened).engine.close();
      },
    };
  };
  load.prepare = () => Promise.all([import('./stdio-backend.ts'), loadTools(), prepare?.()]);
  const handshake = listed && { unknown: ['tools/list', 'server/discover'], instructions: listed.instructions };
  await serveStdioFront({ input, output }, load, createHandshake(handshake));
}

const logAt =
  (level: string): Log['info'] =>
  (event, facts) =>
    void process.stderr.write(`${JSON.stringify({ level, event, ...facts })}\n`);
const stderrLog: Log = { info: logAt('info'), warn: logAt('warn'), error: logAt('error') };

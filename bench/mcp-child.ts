import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const INITIALIZE = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } };

/** A server of any make, reached over stdio after the handshake. */
export interface McpChild {
  /** From its start to the list of its tools. */
  startMs: number;
  /** Characters of the list of tools. */
  toolsChars: number;
  call(name: string, args: object): Promise<unknown>;
  stop(): Promise<void>;
}

export async function startMcpChild(args: readonly string[], env: Record<string, string>): Promise<McpChild> {
  const started = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'], env });
  const waiting = new Map<number, (message: { result?: unknown; error?: unknown }) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
  });
  let last = 0;
  const ask = (method: string, params: object): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = ++last;
      waiting.set(id, ({ result, error }) => {
        waiting.delete(id);
        if (error === undefined) resolve(result);
        else reject(new Error(JSON.stringify(error)));
      });
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  await ask('initialize', INITIALIZE);
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  const listed = await ask('tools/list', {});
  return {
    startMs: performance.now() - started,
    toolsChars: JSON.stringify(listed).length,
    call: (name, args) => ask('tools/call', { name, arguments: args }),
    async stop() {
      const ended = once(child, 'exit');
      child.stdin.end();
      const timer = setTimeout(() => child.kill(), 3000);
      await ended;
      clearTimeout(timer);
    },
  };
}

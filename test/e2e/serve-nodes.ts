import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PLAIN_ENV, PROGRAM } from './program.ts';

export interface ServeNode {
  url: string;
  child: ChildProcess;
  /** Set when it ended without being asked to. */
  died: string | null;
}

export interface ServeNodes {
  nodes: ServeNode[];
  /** In front of all of them, one after the other; a node that does not answer is passed over. */
  proxy: string;
  token: string;
  /** As a machine would lose one: without a word. */
  kill(index: number): Promise<void>;
  /** Another one in its place; resolves when it listens. */
  restart(index: number): Promise<void>;
  stop(): Promise<void>;
}

/** Several `ltm serve` on one database behind a proxy, each with a folder of its own, as on machines of their own. */
export async function startNodes(db: string, count: number, args: readonly string[] = []): Promise<ServeNodes> {
  const folder = mkdtempSync(join(tmpdir(), 'ltm-nodes-'));
  const flags = ['--writes-per-minute', '0', '--reads-per-minute', '0', '--log-level', 'error', ...args];
  const start = (index: number) => startNode(join(folder, String(index)), db, flags);
  const first = await start(0);
  const nodes = [
    first.node,
    ...(await Promise.all(Array.from({ length: count - 1 }, async (_, i) => (await start(i + 1)).node))),
  ];
  const { server, url } = await startProxy(nodes);
  return {
    nodes,
    proxy: url,
    token: readFileSync(first.tokenFile, 'utf8').trim(),
    async kill(index) {
      const { child } = nodes[index]!;
      child.removeAllListeners('exit');
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
    async restart(index) {
      nodes[index] = (await start(index)).node;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await Promise.all(nodes.map(({ child }) => end(child)));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startNode(
  home: string,
  db: string,
  args: readonly string[],
): Promise<{ node: ServeNode; tokenFile: string }> {
  mkdirSync(home, { recursive: true });
  const env = { ...PLAIN_ENV, HOME: home, LTM_CONFIG_DIR: home };
  const child = spawn(process.execPath, [PROGRAM, 'serve', '--json', '--port', '0', '--db', db, ...args], {
    cwd: home,
    env,
    stdio: 'pipe',
  });
  let [out, log] = ['', ''];
  child.stderr.on('data', (chunk) => (log = `${log}${chunk}`.slice(-4000)));
  const node: ServeNode = { url: '', child, died: null };
  const started = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      out += chunk;
      if (out.includes('}')) resolve(out);
    });
    child.once('exit', (code, signal) => {
      node.died = `${code ?? signal}: ${log}`;
      reject(new Error(`ltm serve ended with ${node.died}`));
    });
  });
  node.url = (JSON.parse(await started) as { url: string }).url;
  return { node, tokenFile: join(home, 'owner-token') };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.removeAllListeners('exit');
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

async function startProxy(nodes: readonly ServeNode[]): Promise<{ server: Server; url: string }> {
  let turn = 0;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', async () => {
      const body = Buffer.concat(parts);
      const headers = Object.entries(request.headers).filter(
        ([name]) => !['host', 'connection', 'content-length'].includes(name),
      ) as [string, string][];
      for (let tries = 0; tries < nodes.length; tries++) {
        const { url } = nodes[turn++ % nodes.length]!;
        try {
          const answer = await fetch(`${url}${request.url}`, {
            method: request.method!,
            headers,
            ...(body.length > 0 && { body }),
          });
          response
            .writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' })
            .end(Buffer.from(await answer.arrayBuffer()));
          return;
        } catch {
          // the next one may be there; whoever asked sends an idempotency key
        }
      }
      response.writeHead(502).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

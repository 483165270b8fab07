import type { TestContext } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Answer } from '../e2e/mcp-process.ts';
import { makeServeFolder, removeFolder, type ServeProcess, startServe } from '../e2e/serve-process.ts';

export const AI_TOKEN = 'ai-token-0123456789abcdef';
export const SYNC_TOKEN = 'sync-token-0123456789abcdef';
const TOKENS = { MCP_TOKEN: AI_TOKEN, SYNC_TOKEN };

export interface Session {
  call(tool: string, args?: Record<string, unknown>): Promise<Answer>;
  /** The message of a call that must fail. */
  fail(tool: string, args?: Record<string, unknown>): Promise<string>;
  invoke(tool: string, args?: Record<string, unknown>): Promise<Answer>;
  listTools(): Promise<string[]>;
}

export interface Federated extends ServeProcess {
  open(token?: string, query?: string): Promise<Session>;
}

/** `ltm serve` with the two tokens, and clients with sessions of their own. */
export async function startFederated(
  t: TestContext,
  {
    env = {},
    args = [],
    folder = makeServeFolder(null),
  }: { env?: Record<string, string>; args?: string[]; folder?: string } = {},
): Promise<Federated> {
  const server = await startServe(folder, ['--embedder', 'none', ...args], { ...TOKENS, ...env });
  const clients: Client[] = [];
  t.after(async () => {
    await Promise.allSettled(clients.map((client) => client.close()));
    await server.stop();
    removeFolder(folder);
  });
  return {
    ...server,
    async open(token = AI_TOKEN, query = '') {
      const client = new Client({ name: 'federated', version: '1' });
      clients.push(client);
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${server.url}/mcp${query}`), {
          requestInit: { headers: { authorization: `Bearer ${token}` } },
        }),
      );
      const invoke = async (name: string, given = {}): Promise<Answer> =>
        (await client.callTool({ name, arguments: given })) as unknown as Answer;
      return {
        invoke,
        async call(tool, given) {
          const answer = await invoke(tool, given);
          if (answer.isError) throw new Error(`${tool}: ${answer.content[0]?.text}`);
          return answer.structuredContent;
        },
        async fail(tool, given) {
          const answer = await invoke(tool, given);
          if (answer.isError) return answer.content[0]?.text ?? '';
          throw new Error(`${tool} did not fail: ${JSON.stringify(answer.structuredContent)}`);
        },
        listTools: async () => (await client.listTools()).tools.map(({ name }) => name),
      };
    },
  };
}

export const LAPTOP = { machine: 'mymachine', tool: 'claude-code', project: 'myproject' };
export const SERVER = { machine: 'Büro Server', tool: 'codex', project: 'shop' };

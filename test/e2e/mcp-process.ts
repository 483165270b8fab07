import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { PLAIN_ENV, PROGRAM } from './program.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of the program under test, read as a client would
export type Answer = Record<string, any>;

export interface McpProcess {
  client: Client;
  db: string;
  /** The structured part of a successful call. */
  call(tool: string, args?: Record<string, unknown>): Promise<Answer>;
  /** The coded error of a call that must fail. */
  fail(tool: string, args?: Record<string, unknown>): Promise<Answer>;
  /** The text that clients without structured output show. */
  text(tool: string, args?: Record<string, unknown>): Promise<string>;
  /** Ends the process and starts another one on the same file. */
  restart(env?: Record<string, string>): Promise<void>;
  close(): Promise<void>;
}

/** `ltm mcp` as an agent runs it: a process of its own, reached over stdio, on a database of its own or the one that `LTM_DB` names. */
export async function startMcpProcess(env: Record<string, string> = {}, cwd?: string): Promise<McpProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'ltm-mcp-'));
  const db = env.LTM_DB ?? join(folder, 'memory.db');
  const connect = async (extra: Record<string, string>): Promise<Client> => {
    const client = new Client({ name: 'parity', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [PROGRAM, 'mcp', '--db', db],
        env: { ...PLAIN_ENV, HOME: folder, ...extra },
        stderr: 'ignore',
        ...(cwd !== undefined && { cwd }),
      }),
    );
    return client;
  };
  let client = await connect(env);
  const invoke = async (tool: string, args: Record<string, unknown>): Promise<Answer> =>
    (await client.callTool({ name: tool, arguments: args })) as Answer;
  return {
    get client() {
      return client;
    },
    db,
    async call(tool, args = {}) {
      const result = await invoke(tool, args);
      if (result.isError) throw new Error(`${tool} failed: ${JSON.stringify(result.content)}`);
      return result.structuredContent;
    },
    async fail(tool, args = {}) {
      const result = await invoke(tool, args);
      if (!result.isError) throw new Error(`${tool} should have failed: ${JSON.stringify(result.structuredContent)}`);
      return result.structuredContent.error;
    },
    async text(tool, args = {}) {
      return (await invoke(tool, args)).content[0].text;
    },
    async restart(extra = {}) {
      await client.close();
      client = await connect({ ...env, ...extra });
    },
    async close() {
      await client.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

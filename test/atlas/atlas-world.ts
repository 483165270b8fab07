import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { makeMachine } from '../e2e/hook-process.ts';
import { type Answer, type McpProcess, startMcpProcess } from '../e2e/mcp-process.ts';
import { makeServeFolder, removeFolder, type ServeProcess, startServe } from '../e2e/serve-process.ts';

/** Commands on one person's machine, and an agent beside them on the same database. */
export interface Home {
  db: string;
  folder: string;
  /** The answer of a command that must succeed. */
  ltm(...words: string[]): Promise<Answer>;
  /** The code of the error of one that must not. */
  refused(...words: string[]): Promise<Answer>;
  /** What an agent wrote down of a session, as Claude Code does; read by `ltm harvest`. */
  says(session: string, lines: readonly string[]): void;
  hook(input: object): Promise<void>;
  agent(): Promise<McpProcess>;
  store(content: string, ...flags: string[]): Promise<string>;
  contents(...flags: string[]): Promise<string[]>;
  /** What a session is given by itself, at its start and for this prompt. */
  given(prompt: string): Promise<string>;
  found(query: string, ...flags: string[]): Promise<string[]>;
}

export function openHome(t: TestContext): Home {
  const machine = makeMachine();
  const started: McpProcess[] = [];
  t.after(async () => {
    for (const one of started) await one.close();
    machine.remove();
  });
  const ltm: Home['ltm'] = async (...words) => {
    const { code, stdout, stderr } = await machine.ltm([...words, '--json']);
    if (code !== 0) throw new Error(`ltm ${words.join(' ')} ended with ${code}: ${stdout}${stderr}`);
    return stdout.trim() === '' ? {} : (JSON.parse(stdout) as Answer);
  };
  const contentsOf = (memories: Answer[]): string[] => memories.map(({ content }) => String(content)).toSorted();
  return {
    db: machine.db,
    folder: machine.home,
    ltm,
    async refused(...words) {
      const { code, stdout } = await machine.ltm([...words, '--json']);
      if (code === 0) throw new Error(`ltm ${words.join(' ')} was not refused: ${stdout}`);
      return (JSON.parse(stdout) as Answer).error;
    },
    says(session, lines) {
      const folder = join(machine.home, '.claude', 'projects', machine.project.replaceAll(/[^a-zA-Z0-9]/g, '-'));
      mkdirSync(folder, { recursive: true });
      const messages = lines.map((text, i) =>
        JSON.stringify({
          type: 'assistant',
          uuid: `${session}-${i}`,
          sessionId: session,
          cwd: machine.project,
          timestamp: '2026-03-01T10:00:00.000Z',
          message: { role: 'assistant', content: [{ type: 'text', text }] },
        }),
      );
      writeFileSync(join(folder, `${session}.jsonl`), `${messages.join('\n')}\n`);
    },
    async hook(input) {
      await machine.hook(input);
      await machine.ltm(['observations', 'stats']);
    },
    async agent() {
      const one = await startMcpProcess({ LTM_DB: machine.db }, machine.project);
      started.push(one);
      return one;
    },
    store: async (content, ...flags) => (await ltm('store', content, ...flags)).memory.id,
    contents: async (...flags) => contentsOf((await ltm('list', '--limit', '1000', ...flags)).memories),
    async given(prompt) {
      const wide = ['--max-tokens', '8000', '--max-entries', '50', '--timeout-ms', '10000'];
      const blocks = [await ltm('context', ...wide), await ltm('context', '--prompt', prompt, ...wide)];
      return blocks.map(({ context }) => String(context ?? '')).join('\n');
    },
    found: async (query, ...flags) =>
      (await ltm('search', query, '--all', ...flags)).hits.map(({ snippet }: Answer) => String(snippet)),
  };
}

/** Two people on one server. */
export interface Shared {
  alice: Person;
  bob: Person;
  /** Stops it, and starts it on the same database. */
  restart(): Promise<void>;
}

export interface Person {
  name: string;
  ask(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Asked>;
  store(content: string, more?: object): Promise<string>;
  /** A tool over MCP. */
  call(tool: string, args: object, query?: string): Promise<Answer>;
}

export interface Asked {
  status: number;
  text: string;
  json: Answer;
}

export async function openShared(t: TestContext): Promise<Shared> {
  const tokens = { 'token-of-alice': 'alice', 'token-of-bob': 'bob' };
  const folder = makeServeFolder(tokens);
  const args = ['--db', join(folder, 'memory.db'), '--tokens-file', join(folder, 'user_tokens.json')];
  const start = () => startServe(folder, [...args, '--context-timeout-ms', '10000', '--log-level', 'error']);
  let server: ServeProcess = await start();
  t.after(async () => {
    await server.stop();
    removeFolder(folder);
  });
  const person = (name: string): Person => {
    const ask: Person['ask'] = async (method, path, body, headers = {}) => {
      const response = await fetch(`${server.url}${path}`, {
        method,
        headers: { authorization: `Bearer token-of-${name}`, 'content-type': 'application/json', ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, text, json: readJson(text) };
    };
    return {
      name,
      ask,
      async store(content, more = {}) {
        const { status, json, text } = await ask('POST', '/api/v1/memories', { content, ...more });
        if (status >= 300) throw new Error(`${status}: ${text}`);
        return json.memory.id;
      },
      async call(tool, args, query = '') {
        const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: args } };
        const accept = { accept: 'application/json, text/event-stream' };
        const { text } = await ask('POST', `/mcp${query}`, message, accept);
        const data = text.split('\n').find((line) => line.startsWith('data: {'));
        const { result } = readJson(data === undefined ? text : data.slice(6));
        return result?.structuredContent ?? result ?? { refused: text };
      },
    };
  };
  return {
    alice: person('alice'),
    bob: person('bob'),
    async restart() {
      await server.stop();
      server = await start();
    },
  };
}

function readJson(text: string): Answer {
  try {
    return JSON.parse(text) as Answer;
  } catch {
    return {};
  }
}

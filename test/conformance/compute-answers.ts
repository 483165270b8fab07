import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import { createStdioBackend } from '../../src/mcp/stdio-backend.ts';
import type { Message } from '../../src/model/json-rpc.ts';
import { createTools } from '../../src/server/create-tools.ts';

const LISTS = ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'];
const MODERN = '2026-07-28';
const CLIENT = { name: 'probe', version: '1' };
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': CLIENT,
  'io.modelcontextprotocol/clientCapabilities': {},
};

export const LEGACY_VERSIONS: readonly string[] = SUPPORTED_PROTOCOL_VERSIONS.filter((version) => version < '2026');

/** By method, the results the SDK itself gives to a client that speaks this revision. */
export async function computeAnswers(version: string): Promise<Record<string, unknown>> {
  const ask = await connect();
  if (version === MODERN) return askEach(['server/discover', ...LISTS], (method) => ask(method, { _meta: ENVELOPE }));
  const initialize = await ask('initialize', { protocolVersion: version, capabilities: {}, clientInfo: CLIENT });
  return { initialize, ...(await askEach(LISTS, (method) => ask(method, {}))) };
}

async function askEach(
  methods: readonly string[],
  ask: (method: string) => Promise<unknown>,
): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const method of methods) answers[method] = await ask(method);
  return answers;
}

async function connect(): Promise<(method: string, params: Record<string, unknown>) => Promise<unknown>> {
  const waiting = new Map<unknown, (result: unknown) => void>();
  const silent = { info: () => {}, warn: () => {}, error: () => {} };
  const noEngine = (): never => {
    throw new Error('a list needs no engine');
  };
  const backend = createStdioBackend(
    (message: Message & { result?: unknown }) => waiting.get(message.id)?.(asOnTheWire(message.result)),
    noEngine,
    { log: silent, tools: await createTools() },
  );
  let id = 0;
  return (method, params) =>
    new Promise((resolve) => {
      id += 1;
      waiting.set(id, resolve);
      backend.receive({ jsonrpc: '2.0', id, method, params });
    });
}

function asOnTheWire(result: unknown): unknown {
  return JSON.parse(JSON.stringify(result));
}

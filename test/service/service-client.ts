import { createHash } from 'node:crypto';
import { type McpProcess, startMcpProcess } from '../e2e/mcp-process.ts';
import type { Json } from './rest-client.ts';

/** The hash that the service gives to a text. */
export const hashOf = (text: string): string => createHash('sha256').update(text.trim().toLowerCase()).digest('hex');

interface Invoked {
  isError: boolean;
  text: string;
}

export interface ServiceClient extends McpProcess {
  /** What a client without structured output sees, errors included. */
  invoke(name: string, args?: Record<string, unknown>): Promise<Invoked>;
  /** For tools whose text is JSON. */
  document(name: string, args?: Record<string, unknown>): Promise<Json>;
  /** As part of a conversation, so that near copies are stored; its hash. */
  store(content: string, metadata?: object): Promise<string>;
}

/** `ltm mcp` with the tools of mcp-memory-service, as an agent that comes from there runs it. */
export async function startServiceTools(env: Record<string, string> = {}): Promise<ServiceClient> {
  const ltm = await startMcpProcess({ LTM_TOOLS: 'service', LTM_PROJECT: 'off', ...env });
  const invoke = async (name: string, args: Record<string, unknown> = {}): Promise<Invoked> => {
    const result = await ltm.client.callTool({ name, arguments: args });
    const [block] = result.content as { type: string; text: string }[];
    return { isError: result.isError === true, text: block?.text ?? '' };
  };
  return {
    db: ltm.db,
    call: ltm.call,
    fail: ltm.fail,
    text: ltm.text,
    restart: ltm.restart,
    close: ltm.close,
    invoke,
    get client() {
      return ltm.client;
    },
    document: async (name, args) => JSON.parse((await invoke(name, args)).text),
    async store(content, metadata = {}) {
      await ltm.call('memory_store', { content, conversation_id: 'c', metadata });
      return hashOf(content);
    },
  };
}

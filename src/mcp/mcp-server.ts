import { CLIENT_INFO_META_KEY, isSpecType, Server, type ServerContext } from '@modelcontextprotocol/server';
import type { Log } from '../engine/ports.ts';
import type { Access, Opened } from './access.ts';
import { callTool } from './call-tool.ts';
import { getPrompt, PROMPTS } from './prompts.ts';
import { RESOURCE_TEMPLATES, RESOURCES, readResource } from './resources.ts';
import { INSTRUCTIONS, SERVER_CAPABILITIES, SERVER_IDENTITY } from './server-identity.ts';
import { listTools } from './tools.ts';

/** The lists are the same for everyone until the program changes. */
const SAME_FOR_ALL = { ttlMs: 300_000, cacheScope: 'public' } as const;
const CACHE_HINTS = {
  'tools/list': SAME_FOR_ALL,
  'prompts/list': SAME_FOR_ALL,
  'resources/list': SAME_FOR_ALL,
  'resources/templates/list': SAME_FOR_ALL,
  'server/discover': SAME_FOR_ALL,
};

/**
 * The one factory behind every transport and protocol era. Cheap and without I/O: an instance serves one request or one connection and is never shared,
 * so that no answer can reach another client.
 */
export function createMcpServer(access: Access, log: Log): Server {
  const server = new Server(SERVER_IDENTITY, { capabilities: SERVER_CAPABILITIES, instructions: INSTRUCTIONS, cacheHints: CACHE_HINTS });
  const open = async (context: ServerContext): Promise<Opened> => nameClient(await access(context.http?.authInfo), server, context);
  server.setRequestHandler('tools/list', () => ({ tools: listTools() }));
  server.setRequestHandler('tools/call', ({ params }, context) => callTool(params, () => open(context), log));
  server.setRequestHandler('resources/list', () => ({ resources: RESOURCES }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: RESOURCE_TEMPLATES }));
  server.setRequestHandler('resources/read', ({ params }, context) => readResource(params.uri, () => open(context), log));
  server.setRequestHandler('prompts/list', () => ({ prompts: PROMPTS }));
  server.setRequestHandler('prompts/get', ({ params }, context) => getPrompt(params.name, params.arguments ?? {}, () => open(context), log));
  return server;
}

/** What the client calls itself; recorded as the source of what it stores, believed by nobody. */
function nameClient(opened: Opened, server: Server, context: ServerContext): Opened {
  const envelope: Record<string, unknown> | undefined = context.mcpReq.envelope;
  const claimed = envelope?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion();
  if (!isSpecType.Implementation(claimed)) return opened;
  return { ...opened, caller: { ...opened.caller, client: `${claimed.name}/${claimed.version}`.slice(0, 100) } };
}

import {
  CLIENT_INFO_META_KEY,
  isSpecType,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { authorize } from '../engine/authorize.ts';
import type { Log } from '../engine/ports.ts';
import { nearestName } from '../model/nearest-name.ts';
import type { CallSession } from '../verbs/verb.ts';
import { type Access, nameClient, type Opened } from './access.ts';
import { answerInWords } from './answer-in-words.ts';
import { callTool } from './call-tool.ts';
import { toEngineError } from './error-result.ts';
import { getPrompt } from './get-prompt.ts';
import { describePrompt } from './prompt.ts';
import { createProgress } from './report-progress.ts';
import { createSubscriptions, type ResourceSubscriptions } from './resource-subscriptions.ts';
import { readResource, toProtocolError } from './resources.ts';
import { SERVER_CAPABILITIES, SERVER_IDENTITY } from './server-identity.ts';
import { DEFAULT_FAMILIES, type ToolTable } from './tool-table.ts';

export interface McpServerOptions {
  log: Log;
  tools: ToolTable;
  /** Which tools are listed; all can be called. */
  families?: readonly string[];
  /** Each request stands alone: there is nobody to tell about a change later. */
  isStateless?: boolean;
  /** The instance serves one request: nothing can be remembered for the next. */
  isOneRequest?: boolean;
  /** Of a connection some of whose calls are answered without this server. */
  session?: CallSession;
}

/** The lists of one address are the same for everyone until the program changes. */
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
export function createMcpServer(access: Access, options: McpServerOptions): Server {
  const { log, tools, families = DEFAULT_FAMILIES, isStateless = false, isOneRequest = isStateless } = options;
  const { session = { workspace: null } } = options;
  const capabilities = isStateless ? { ...SERVER_CAPABILITIES, resources: {} } : SERVER_CAPABILITIES;
  const listing = tools.list(families);
  const { instructions } = listing;
  const server = new Server(SERVER_IDENTITY, { capabilities, instructions, cacheHints: CACHE_HINTS });
  const open = async (context: ServerContext): Promise<Opened> =>
    nameClaimed(await access(context.http?.authInfo), server, context);
  server.setRequestHandler('tools/list', () => ({ tools: listing.tools }));
  server.setRequestHandler('tools/call', ({ params }, context) => {
    const tool = tools.find(params.name, families);
    if (tool === undefined) throw unknownTool(params.name, tools);
    const { notify } = context.mcpReq;
    const onProgress = createProgress(params._meta?.progressToken, notify, log);
    const remembered = isOneRequest ? {} : { session };
    return callTool(tool, params.arguments, { open: () => open(context), log, onProgress, ...remembered });
  });
  server.setRequestHandler('resources/list', () => ({ resources: [...tools.resources.listed] }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [...tools.resources.templates],
  }));
  server.setRequestHandler('resources/read', ({ params }, context) =>
    readResource(params.uri, tools.resources, () => open(context), log),
  );
  server.setRequestHandler('prompts/list', () => ({ prompts: listing.prompts.map(describePrompt) }));
  server.setRequestHandler('prompts/get', ({ params }, context) =>
    getPrompt(tools.findPrompt(params.name), params, () => open(context), log),
  );
  if (!isStateless) offerSubscriptions(server, open, log);
  return answerInWords(server);
}

/** For clients of the 2025 era; those of 2026 send `subscriptions/listen`, which each transport answers itself. */
function offerSubscriptions(server: Server, open: (context: ServerContext) => Promise<Opened>, log: Log): void {
  let subscriptions: ResourceSubscriptions | null = null;
  const tell = (uri: string): void => {
    server
      .sendResourceUpdated({ uri })
      .catch((error: unknown) => log.warn('mcp_not_told', { message: String(error).slice(0, 200) }));
  };
  const enter = async (context: ServerContext, uri: string): Promise<Opened> => {
    try {
      const opened = await open(context);
      authorize(opened.caller, 'read', opened.caller.space);
      return opened;
    } catch (error) {
      throw toProtocolError(toEngineError(error, log), uri);
    }
  };
  server.setRequestHandler('resources/subscribe', async ({ params }, context) => {
    const opened = await enter(context, params.uri);
    subscriptions ??= createSubscriptions(async () => opened, tell, log);
    if (!(await subscriptions.add(params.uri)))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Too many subscriptions.');
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    subscriptions?.remove(params.uri);
    return {};
  });
  server.onclose = () => subscriptions?.close();
}

function nameClaimed(opened: Opened, server: Server, context: ServerContext): Opened {
  const envelope: Record<string, unknown> | undefined = context.mcpReq.envelope;
  const claimed = envelope?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion();
  return isSpecType.Implementation(claimed) ? nameClient(opened, claimed) : opened;
}

function unknownTool(name: string, { tools }: ToolTable): ProtocolError {
  const known = tools.map((tool) => tool.name);
  const nearest = nearestName(name, known);
  const advice = nearest === null ? '' : ` Did you mean ${nearest}?`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, 100)}.${advice}`);
}

import { type Context, Hono } from 'hono';
import { createApiKey } from '../auth/api-key.ts';
import { authorizationOf } from '../auth/authenticate.ts';
import { openTokensFile } from '../auth/tokens-file.ts';
import { answerProof, PROOF_PATH } from '../client/own-server.ts';
import { observationExtension } from '../compat/observations/observation-extension.ts';
import { createPacketsApp, PACKET_API_PATH } from '../compat/packets/create-packets-app.ts';
import { createPublicApp, createSchemaApp } from '../compat/packets/create-public-apps.ts';
import { serviceExtension } from '../compat/service/service-extension.ts';
import { createWorkspaceTokens } from '../compat/workspaces/workspace-tokens.ts';
import { createLegacySse, type LegacySse } from '../mcp/legacy-sse.ts';
import { familiesIn } from '../mcp/tool-table.ts';
import { EngineError } from '../model/errors.ts';
import type { Message } from '../model/json-rpc.ts';
import { RequestProblem } from '../rest/error-response.ts';
import { readText } from '../rest/read-body.ts';
import { engineSettings } from '../settings/config.ts';
import { createTokenCheck, type ServerEnv } from './check-token.ts';
import type { ExtensionPorts, Mount, ServerExtension } from './extension.ts';
import { countWrites, demandScopes, toolsIn } from './mcp-endpoint.ts';
import { oauthExtension } from './oauth-extension.ts';

/** Everything the server offers besides MCP at /mcp and REST at /api/v1, in the order in which it is asked. */
export function createExtensions(shared: ExtensionPorts): readonly ServerExtension[] {
  return [
    proofExtension(shared),
    legacySseExtension(shared),
    tokensFileExtension(shared),
    apiKeyExtension(shared),
    workspaceTokensExtension(shared),
    packetExtension(shared),
    observationExtension(shared),
    serviceExtension(shared),
    oauthExtension(shared),
  ];
}

/** Programs of the same person ask who answers here before they say anything. */
function proofExtension({ config: { spool } }: Pick<ExtensionPorts, 'config'>): ServerExtension {
  const app = new Hono<ServerEnv>().get('/', (c) => {
    const proof = answerProof(spool, c.req.query('nonce'));
    return proof === null ? c.notFound() : c.json({ proof });
  });
  return { mounts: [{ path: PROOF_PATH, app }] };
}

function apiKeyExtension({ config: { apiKey } }: Pick<ExtensionPorts, 'config'>): ServerExtension {
  return apiKey === null ? {} : { credentials: [createApiKey(apiKey)] };
}

/** The two tokens of workspaces, where the operator has set them. */
function workspaceTokensExtension({ config, store }: Pick<ExtensionPorts, 'config' | 'store'>): ServerExtension {
  const { mcpToken, syncToken, workspaceTeam } = config;
  if (mcpToken === null || syncToken === null) return {};
  const findTeam = async (): Promise<string | null> => {
    if (workspaceTeam === null) return null;
    const team = (await store.findTeam({ name: workspaceTeam })) ?? (await store.findTeam({ id: workspaceTeam }));
    if (team !== null) return team.id;
    throw new EngineError('not_found', 'The team of workspace_team does not exist.', {
      hint: '`ltm teams new NAME` makes it.',
    });
  };
  return { credentials: [createWorkspaceTokens({ mcpToken, syncToken }, findTeam)] };
}

/** Tokens of a file, where the operator has named one. Throws where it cannot be used: a server that lets nobody in helps nobody. */
function tokensFileExtension({
  config,
  log,
  streams,
}: Pick<ExtensionPorts, 'config' | 'log' | 'streams'>): ServerExtension {
  if (config.tokensFile === null) return {};
  const tokens = openTokensFile(config.tokensFile, { log });
  tokens.onChange(() => void streams.lookNow());
  return {
    credentials: [tokens],
    async close() {
      tokens.close();
    },
  };
}

/** Packets, teams and invites at /v1, published packets at /p, the packets' schemas at /schema. */
function packetExtension({ engine, accounts, log, tokenCheck, urlOf }: ExtensionPorts): ServerExtension {
  const ports = { ...tokenCheck, engine, accounts, log, urlOf };
  return {
    mounts: [
      { path: PACKET_API_PATH, app: createPacketsApp<ServerEnv>(ports, tokenCheck.addressOf) },
      { path: '/p', app: createPublicApp<ServerEnv>(engine) },
      { path: '/schema', app: createSchemaApp<ServerEnv>() },
    ],
  };
}

interface Address {
  /** Of both paths. */
  prefix: string;
  /** What is listed where neither the address nor the operator says. */
  families: readonly string[];
}

/** `/mcp/sse` is where the networked server had it, `/sse` where mcp-memory-service has it. */
const ADDRESSES: readonly Address[] = [
  { prefix: '/mcp', families: ['core', 'networked'] },
  { prefix: '', families: ['service'] },
];

function legacySseExtension(shared: ExtensionPorts): ServerExtension {
  const sse = createLegacySse(shared.engine, shared);
  return { mounts: ADDRESSES.flatMap((address) => mountsOf(address, sse, shared)), close: () => sse.close() };
}

function mountsOf({ prefix, families }: Address, sse: LegacySse, shared: ExtensionPorts): Mount[] {
  const { config, tools, tokenCheck, streams } = shared;
  const { timeZone } = engineSettings(config);
  const messagesPath = `${prefix}/messages/`;
  const check = createTokenCheck(tokenCheck, 'mcp');
  const callerIn = (c: Context<ServerEnv>) => ({ timeZone, ...c.get('caller') });
  const stream = new Hono<ServerEnv>().use(check).get('/', (c) => {
    const chosen = familiesIn(c.req.url, tools.families) ?? config.tools ?? families;
    const held = streams.hold(authorizationOf(c.req.raw) ?? '', c.get('caller'));
    const team = c.req.query('team');
    const pathOf = (id: string): string =>
      `${messagesPath}?session_id=${id}${team === undefined ? '' : `&team=${encodeURIComponent(team)}`}`;
    return sse.openStream(callerIn(c), {
      families: chosen,
      messagesPath: pathOf,
      signal: held.signal,
      onEnd: held.release,
    });
  });
  const messages = new Hono<ServerEnv>().use(check).post('/', async (c) => {
    const text = await readText(c.req.raw, config.maxBodyBytes);
    const sessionId = c.req.query('session_id') ?? null;
    const caller = callerIn(c);
    const check = (message: Message, listed: readonly string[]): void => {
      const called = toolsIn(message, tools, listed);
      demandScopes(called, caller);
      if (countWrites(called) > 0) tokenCheck.limit.count(caller.userId, 'write');
    };
    sse.receive(caller, { sessionId, text, check });
    return c.text('Accepted', 202);
  });
  return [
    { path: `${prefix}/sse`, app: stream.all('/', () => refuseMethod('GET')) },
    { path: messagesPath, app: messages.all('/', () => refuseMethod('POST')) },
    { path: messagesPath.slice(0, -1), app: messages },
  ];
}

function refuseMethod(allow: string): never {
  throw new RequestProblem('invalid_input', 'This method is not allowed here.', {
    status: 405,
    hint: `It understands ${allow}.`,
    headers: { Allow: allow },
  });
}

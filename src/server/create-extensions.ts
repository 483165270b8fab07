import { type Context, Hono } from 'hono';
import { createApiKey } from '../auth/api-key.ts';
import { authorizationOf } from '../auth/authenticate.ts';
import { openTokensFile } from '../auth/tokens-file.ts';
import { answerProof, PROOF_PATH } from '../client/own-server.ts';
import type { Feature } from '../features/feature.ts';
import { createLegacySse, type LegacySse } from '../mcp/legacy-sse.ts';
import { familiesIn } from '../mcp/tool-table.ts';
import type { Message } from '../model/json-rpc.ts';
import { createTokenCheck, type ServerEnv } from '../rest/check-token.ts';
import { RequestProblem } from '../rest/error-response.ts';
import type { Mount } from '../rest/mount.ts';
import { readText } from '../rest/read-body.ts';
import { engineSettings } from '../settings/config.ts';
import type { ExtensionPorts, ServerExtension } from './extension.ts';
import { countWrites, demandScopes, toolsIn } from './mcp-endpoint.ts';
import { oauthExtension } from './oauth-extension.ts';

/** Everything the server offers besides MCP at /mcp and REST at /api/v1, in the order in which it is asked. */
export async function createExtensions(
  shared: ExtensionPorts,
  declared: readonly Feature[],
): Promise<readonly ServerExtension[]> {
  return [
    proofExtension(shared),
    legacySseExtension(shared),
    tokensFileExtension(shared),
    apiKeyExtension(shared),
    ...(await Promise.all(declared.map((each) => openPart(each, shared)))),
    oauthExtension(shared),
  ];
}

/** What a feature or a system adds to the server. */
async function openPart({ http, tokens }: Feature, shared: ExtensionPorts): Promise<ServerExtension> {
  const [open, operatorTokens] = await Promise.all([http?.(), tokens?.()]);
  const credentials = operatorTokens?.open(shared.config, shared.store) ?? null;
  return { ...open?.(shared), ...(credentials !== null && { credentials: [credentials] }) };
}

/** Programs of the same person ask who answers here before they say anything. */
function proofExtension({ config: { places } }: Pick<ExtensionPorts, 'config'>): ServerExtension {
  const app = new Hono<ServerEnv>().get('/', (c) => {
    const proof = answerProof(places.spool, c.req.query('nonce'));
    return proof === null ? c.notFound() : c.json({ proof });
  });
  return { mounts: [{ path: PROOF_PATH, app }] };
}

function apiKeyExtension({ config: { apiKey } }: Pick<ExtensionPorts, 'config'>): ServerExtension {
  return apiKey === null ? {} : { credentials: [createApiKey(apiKey)] };
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

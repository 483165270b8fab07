import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import {
  type Authenticate,
  authorizationOf,
  type CallerOptions,
  callerOf,
  type Proof,
  type RefusalReason,
} from '../auth/authenticate.ts';
import type { RequestLimit } from '../auth/token-buckets.ts';
import type { Log } from '../engine/ports.ts';
import type { Door } from '../model/caller.ts';
import { RequestProblem } from './error-response.ts';
import type { RestEnv } from './rest-env.ts';

/** What every app of the server may read of a request. */
export type ServerEnv = RestEnv & {
  Bindings: Partial<HttpBindings>;
  Variables: RestEnv['Variables'] & { proof: Proof };
};

export interface TokenCheckPorts {
  authenticate: Authenticate;
  limit: RequestLimit;
  log: Log;
  /** Where a client that was told 401 finds out how to sign in; null where there is no OAuth. */
  resourceMetadataUrl(request: Request): string | null;
  addressOf(c: Context<ServerEnv>): string;
}

const MAX_CLIENT_CHARS = 100;
const MAX_LABEL_CHARS = 200;

/**
 * Proves who calls; what follows finds `caller` and `proof` set. Without `writes` every request counts as a read: over
 * MCP what a tool writes is counted when its name is known.
 */
export function createTokenCheck(
  ports: TokenCheckPorts,
  door: Door,
  writes: (method: string, path: string) => boolean = () => false,
): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    const address = ports.addressOf(c);
    const result = await ports.authenticate(authorizationOf(c.req.raw), address);
    if (result.outcome === 'refused') throw refusal(result.reason, ports.resourceMetadataUrl(c.req.raw));
    ports.limit.count(result.proof.credential.userId, writes(c.req.method, c.req.path) ? 'write' : 'read');
    c.set('address', address);
    c.set('proof', result.proof);
    c.set('caller', callerOf(result.proof, { door, ...labelsOf(c), ...(door === 'mcp' && bindingOf(c)) }));
    await next();
  };
}

/** The team comes from the address or a header; whether the caller is in it is checked against the credential. */
function labelsOf(c: Context<ServerEnv>): Omit<CallerOptions, 'door'> {
  const label = (name: string): string | undefined => c.req.header(name)?.trim().slice(0, MAX_LABEL_CHARS) || undefined;
  return {
    team: (c.req.query('team') ?? label('x-ltm-team')) || undefined,
    agent: label('x-agent-id'),
    host: label('x-client-hostname'),
    client: c.req.header('user-agent')?.slice(0, MAX_CLIENT_CHARS),
  };
}

/** The workspace that an address of MCP names; routes of REST name it in their path. */
function bindingOf(c: Context<ServerEnv>): Pick<CallerOptions, 'workspace'> {
  return { workspace: c.req.query('workspace')?.trim() || undefined };
}

/** Unknown, revoked and expired tokens get the same answer; the log tells them apart. */
function refusal(reason: RefusalReason, metadataUrl: string | null): RequestProblem {
  const parameters = ['realm="ltm"'];
  if (reason !== 'missing') parameters.push('error="invalid_token"');
  if (metadataUrl !== null) parameters.push(`resource_metadata="${metadataUrl}"`);
  return new RequestProblem(
    'unauthorized',
    reason === 'missing' ? 'This address needs a token.' : 'The token is not valid.',
    {
      hint: "Send the header Authorization: Bearer <token>. `ltm serve` says where the owner's token is kept.",
      headers: { 'WWW-Authenticate': `Bearer ${parameters.join(', ')}` },
    },
  );
}

/** What a caller named a memory or packet is theirs, and a code in an address is a secret; the log need not know. */
export function maskPath(path: string): string {
  return path
    .replace(/^(.*\/(?:memories|packets)\/)(?!batch$|delete$)[^/]+/, '$1{ref}')
    .replace(/^(.*\/manage\/tags\/)(?!stats$)[^/]+/, '$1{tag}')
    .replace(/^(.*\/(?:invites|p|join|interaction)\/)[^/]+/, '$1{code}')
    .slice(0, 100);
}

import type { Log } from '../engine/ports.ts';
import type { Caller, Door } from '../model/caller.ts';
import { EngineError } from '../model/errors.ts';
import { type AccessToken, CLI_CLIENT, type Membership, type Role, type Team, type TeamId } from '../model/identity.ts';
import type { SpaceId } from '../model/ids.ts';
import { createNetworks, plainAddress } from '../model/networks.ts';
import { checkWorkspaceId } from '../model/workspace-id.ts';
import type { Removals, Teams, Users } from './ports.ts';

export type RefusalReason = 'missing' | 'malformed' | 'unknown' | 'revoked' | 'expired' | 'suspended' | 'audience';

/** What a valid bearer token says about its bearer. */
export interface Credential extends Pick<AccessToken, 'userId' | 'scopes' | 'agent'> {
  kind: 'personal' | 'file' | 'oauth';
  /** Of the token's stored form; for logs and for closing what it has opened. */
  id: string;
  /** Set: it opens this team's space and nothing else. */
  teamId: TeamId | null;
  /** Set: of workspaces it can change this one alone. */
  workspace?: string | null;
  /** Set: it can do these actions alone. */
  powers?: ReadonlySet<string>;
  /** The OAuth client that the person let in. */
  clientId: string | null;
}

/** One kind of bearer token. */
export interface CredentialSource {
  /** null: not a token of this kind, ask the next source. A reason: it was one, and is refused. */
  find(value: string): Promise<Credential | RefusalReason | null>;
}

/** Longer ones are no token of anybody's. */
const MAX_TOKEN_CHARS = 1024;

export interface Proof {
  credential: Credential;
  memberships: readonly (Membership & { team: Team })[];
}

export type Authentication = { outcome: 'accepted'; proof: Proof } | { outcome: 'refused'; reason: RefusalReason };

/** `address`: where the attempt to get in comes from; null: it is none, an open stream is looked at again. */
export type Authenticate = (authorization: string | undefined, address: string | null) => Promise<Authentication>;

export interface AuthenticatorPorts {
  identity: Users & Teams & Removals;
  /** Asked in order; the first that knows the token decides. */
  sources: readonly CredentialSource[];
  log: Log;
  /** Who somebody on this machine is who says nothing; null: nobody. */
  anonymous?: Credential | null;
}

/** What a request says who it is of: its Authorization header, or its X-API-Key, as programs of mcp-memory-service send it, read as a bearer token. */
export function authorizationOf({ headers }: Pick<Request, 'headers'>): string | undefined {
  const key = headers.get('x-api-key')?.trim();
  return headers.get('authorization') ?? (key ? `Bearer ${key}` : undefined);
}

const isOnThisMachine = createNetworks(['127.0.0.0/8', '::1']);

/**
 * Who sends this Authorization header? A bearer token in a header is the only credential:
 * one in a URL, a cookie or a body leaks into logs, histories and other sites' requests.
 * Wrong ones are not counted: 256 random bits are not guessed, and a program whose token has run out must be told so (401) to fetch a new one.
 */
export function createAuthenticator(ports: AuthenticatorPorts): Authenticate {
  return async (authorization, address) => {
    const isSilent = authorization === undefined || authorization.trim() === '';
    // an open stream (null) was let in by its address when it was opened
    const isNear = address === null || isOnThisMachine(address);
    const found =
      isSilent && isNear && ports.anonymous
        ? { credential: ports.anonymous, memberships: [] }
        : await prove(ports, authorization);
    if (typeof found !== 'string') return { outcome: 'accepted', proof: found };
    // The one line that tools like fail2ban read (docs/tokens.md): its form stays.
    if (address !== null) ports.log.warn('request_refused', { reason: found, address: plainAddress(address) });
    return { outcome: 'refused', reason: found };
  };
}

async function prove(
  { identity, sources }: AuthenticatorPorts,
  authorization: string | undefined,
): Promise<Proof | RefusalReason> {
  if (authorization === undefined || authorization.trim() === '') return 'missing';
  const value = /^bearer +(\S+)$/i.exec(authorization.trim())?.[1];
  if (value === undefined || value.length > MAX_TOKEN_CHARS) return 'malformed';
  for (const source of sources) {
    const credential = await source.find(value);
    if (credential === null) continue;
    if (typeof credential === 'string') return credential;
    const { kind, userId } = credential;
    const [user, memberships] = await Promise.all([
      identity.findUser({ id: userId }),
      identity.listMemberships(userId),
    ]);
    // People of a tokens file have no row of their own; somebody who was removed does not come back by it.
    if (user === null && (kind === 'oauth' || (await identity.findRemoval({ id: userId })) !== null)) return 'revoked';
    return user !== null && user.suspendedAt !== null ? 'suspended' : { credential, memberships };
  }
  return 'unknown';
}

export interface CallerOptions {
  door: Door;
  client?: string | undefined;
  /** The team whose space is meant, by name or id; the caller's own space otherwise. */
  team?: string | undefined;
  agent?: string | undefined;
  host?: string | undefined;
  /** The workspace that the address names, for a credential that is bound to none. */
  workspace?: string | undefined;
}

/** Everybody's own space bears their user id, a team's space the team's. A team that the caller is not in and one that does not exist look the same. */
export function callerOf({ credential, memberships }: Proof, options: CallerOptions): Caller {
  const roles = rolesOf(credential, memberships);
  const team =
    options.team === undefined
      ? null
      : memberships.find(({ team: { id, name } }) => id === options.team || name === options.team);
  if (team === undefined || (team !== null && !roles.has(team.teamId)))
    throw new EngineError('not_found', 'team not found', { hint: '`ltm teams ls` shows the teams you are in.' });
  const space = team?.teamId ?? credential.teamId ?? credential.userId;
  if (!roles.has(space))
    throw new EngineError('forbidden', 'This credential is for a team that its owner is no longer in.');
  return {
    userId: credential.userId,
    space,
    spaces: team === null ? [...roles.keys()] : [space],
    roles,
    scopes: new Set(credential.scopes),
    door: options.door,
    credential: { kind: credential.kind, id: credential.id },
    isPerson: isPersonsOwn(credential, options),
    client: options.client,
    agent: credential.agent ?? options.agent,
    agentIsFixed: credential.agent !== null,
    host: options.host,
    ...workspaceOf(credential, options),
    ...(credential.powers !== undefined && { powers: credential.powers }),
  };
}

/** A binding of the credential cannot be changed; one of the address stands where there is none. */
function workspaceOf({ workspace: own }: Credential, { workspace: named }: CallerOptions): Partial<Caller> {
  if (own == null) return named === undefined ? {} : { workspace: checkWorkspaceId(named), workspaceIsFixed: true };
  if (named !== undefined && named !== own)
    throw new EngineError('forbidden', 'This credential is bound to another workspace.', {
      details: { workspace: own },
    });
  return { workspace: own, workspaceIsFixed: true };
}

/**
 * The command line that a person signed in with, or a token of theirs with every right: neither is made for an agent. Over MCP whoever calls is one,
 * and so is whoever says that they are.
 */
function isPersonsOwn({ kind, clientId, scopes, agent }: Credential, options: CallerOptions): boolean {
  if (options.door !== 'rest' || agent !== null || options.agent !== undefined) return false;
  return kind === 'personal' ? scopes.includes('admin') : clientId === CLI_CLIENT;
}

function rolesOf({ userId, teamId }: Credential, memberships: Proof['memberships']): Map<SpaceId, Role> {
  const roles = new Map<SpaceId, Role>(teamId === null ? [[userId, 'owner']] : []);
  for (const membership of memberships)
    if (teamId === null || membership.teamId === teamId) roles.set(membership.teamId, membership.role);
  return roles;
}

import { type Caller, OWNER_USER, type Scope } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { AccessToken, TeamId, UserId } from '../../model/identity.ts';
import { checkWorkspaceId } from '../../model/workspace-id.ts';
import { type Asker, OPERATOR } from '../accounts.ts';
import { ensureOwnerUser } from '../owner-token.ts';
import { createToken, isActive } from '../tokens.ts';
import {
  type AccountPorts,
  type AccountVerbs,
  applyChanges,
  demandScope,
  demandTokenRights,
  isOperator,
  ownsItself,
} from './account-rights.ts';
import { readName } from './names.ts';
import { needUser } from './users.ts';

const NEVER = Number.POSITIVE_INFINITY;
const USUAL_SCOPES: readonly Scope[] = ['read', 'write'];

export const TOKEN_VERBS = {
  issueToken: (ports) => async (asker, wanted) => {
    demandTokenRights(asker);
    const { identity, clock } = ports;
    const userId = await forWhom(ports, asker, wanted.user);
    const now = clock.now();
    const parent = asker === OPERATOR ? null : await tokenOf(ports, asker);
    const expiresAt = Math.min(wanted.expiresAt ?? NEVER, parent?.expiresAt ?? NEVER);
    if (expiresAt <= now)
      throw new EngineError('invalid_input', 'The expiry time is in the past.', {
        details: { field: 'expires_at' },
      });
    const { value, token } = createToken({
      name: readName(wanted.name),
      userId,
      scopes: scopesFor(asker, wanted.scopes),
      now,
      expiresAt: expiresAt === NEVER ? null : expiresAt,
      teamId: await teamFor(ports, asker, { userId, team: wanted.team, parent }),
      agent: parent?.agent ?? (wanted.agent === undefined ? null : readName(wanted.agent, 'agent')),
      workspace: parent?.workspace ?? (wanted.workspace === undefined ? null : checkWorkspaceId(wanted.workspace)),
    });
    await applyChanges(identity, asker, [{ op: 'add_token', token }]);
    return { value, token };
  },
  listTokens: (ports) => async (asker) => {
    demandScope(asker, 'read');
    return visibleTokens(ports, asker);
  },
  revokeToken: (ports) => async (asker, ref) => {
    const isOwn = asker !== OPERATOR && asker.credential?.id === ref;
    if (!isOwn) demandTokenRights(asker);
    const token = pickToken(await visibleTokens(ports, asker), ref, ports.clock.now());
    if (token.revokedAt !== null) return token;
    const at = ports.clock.now();
    await applyChanges(ports.identity, asker, [{ op: 'revoke_token', id: token.id, at }]);
    return { ...token, revokedAt: at };
  },
} satisfies Partial<AccountVerbs>;

async function forWhom(ports: AccountPorts, asker: Asker, user: string | undefined): Promise<UserId> {
  const own = asker === OPERATOR ? OWNER_USER : asker.userId;
  if (own === OWNER_USER) await ensureOwnerUser(ports);
  if (user === undefined || user === own) return own;
  if (!isOperator(asker))
    throw new EngineError('forbidden', 'Only the operator of the server can create tokens for other people.', {
      hint: 'Omit the user.',
    });
  return (await needUser(ports, user)).id;
}

/** In the order of the list of scopes, none twice. */
function scopesFor(asker: Asker, wanted: readonly Scope[] | undefined): readonly Scope[] {
  const has = (scope: Scope): boolean => asker === OPERATOR || asker.scopes.has(scope);
  const scopes = [...new Set(wanted ?? USUAL_SCOPES.filter(has))];
  if (scopes.length === 0)
    throw new EngineError('invalid_input', 'A token needs at least one scope.', { details: { field: 'scopes' } });
  const beyond = scopes.find((scope) => !has(scope));
  if (beyond === undefined) return scopes;
  throw new EngineError('forbidden', `You cannot give the scope "${beyond}": your own credential does not have it.`, {
    details: { scope: beyond },
  });
}

async function teamFor(
  { identity }: AccountPorts,
  asker: Asker,
  { userId, team, parent }: { userId: UserId; team: string | undefined; parent: AccessToken | null },
): Promise<TeamId | null> {
  const bound = parent?.teamId ?? (asker !== OPERATOR && !ownsItself(asker) ? asker.space : null);
  if (team === undefined) return bound;
  const membership = (await identity.listMemberships(userId)).find(
    ({ team: { id, name } }) => id === team || name === team,
  );
  if (membership === undefined || (bound !== null && membership.teamId !== bound)) {
    throw new EngineError('not_found', 'team not found', {
      hint: 'The owner of the token must be a member of the team.',
    });
  }
  return membership.teamId;
}

/** The token that the asker came with, where it was one. */
async function tokenOf({ identity }: AccountPorts, { userId, credential }: Caller): Promise<AccessToken | null> {
  if (credential?.kind !== 'personal') return null;
  return (await identity.listTokens(userId)).find(({ id }) => id === credential.id) ?? null;
}

/** A credential that opens one team knows of the tokens for it alone. */
async function visibleTokens({ identity }: AccountPorts, asker: Asker): Promise<AccessToken[]> {
  if (asker === OPERATOR || isOperator(asker)) return identity.listTokens();
  const own = await identity.listTokens(asker.userId);
  return ownsItself(asker) ? own : own.filter(({ teamId }) => teamId !== null && asker.roles.has(teamId));
}

const ID_BEGINNING = /^tok_[0-9a-f]{6,}$/;

function findByBeginning(tokens: readonly AccessToken[], ref: string): AccessToken | undefined {
  const alike = ID_BEGINNING.test(ref) ? tokens.filter(({ id }) => id.startsWith(ref)) : [];
  if (alike.length > 1)
    throw new EngineError('conflict', `${alike.length} ids begin with ${ref}.`, { hint: 'Give more of the id.' });
  return alike[0];
}

function pickToken(tokens: readonly AccessToken[], ref: string, now: number): AccessToken {
  const byId = tokens.find(({ id }) => id === ref);
  if (byId !== undefined) return byId;
  const named = tokens.filter(({ name }) => name === ref);
  const active = named.filter((token) => isActive(token, now));
  if (active.length > 1) {
    throw new EngineError('conflict', `${active.length} tokens have this name.`, {
      hint: `Use one of the ids: ${active.map(({ id }) => id).join(', ')}.`,
    });
  }
  const found = active[0] ?? named[0] ?? findByBeginning(tokens, ref);
  if (found === undefined)
    throw new EngineError('not_found', 'There is no such token.', { hint: '`ltm tokens ls` shows names and ids.' });
  return found;
}

import { type Caller, OWNER_USER } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { User } from '../../model/identity.ts';
import type { Accounts, Asker, NewUserInput } from '../accounts.ts';
import { newUserId } from '../new-ids.ts';
import { ensureOwnerUser } from '../owner-token.ts';
import type { AccountPorts } from './account-ports.ts';
import { demandOperator } from './account-rights.ts';
import { applyChanges, tryChanges } from './apply-changes.ts';
import { readEmail, readName, readUserId } from './names.ts';

type UserVerbs = Pick<Accounts, 'getUser' | 'ensureUser' | 'listUsers' | 'suspendUser' | 'removeUser'>;

export function createUserVerbs(ports: AccountPorts): UserVerbs {
  return {
    getUser: (asker) => describeSelf(ports, asker),
    ensureUser: (asker, wanted) => ensureUser(ports, asker, wanted),
    async listUsers(asker) {
      demandOperator(asker, 'see who is here');
      return ports.identity.listUsers();
    },
    suspendUser: (asker, user, suspended) => suspendUser(ports, asker, { user, suspended }),
    removeUser: (asker, user) => removeUser(ports, asker, user),
  };
}

/** By id or email. */
export async function findUser({ identity }: Pick<AccountPorts, 'identity'>, user: string): Promise<User | null> {
  return (
    (await identity.findUser({ id: user })) ??
    (user.includes('@') ? identity.findUser({ email: user.trim().toLowerCase() }) : null)
  );
}

export async function needUser(ports: Pick<AccountPorts, 'identity'>, user: string): Promise<User> {
  const found = await findUser(ports, user);
  if (found === null)
    throw new EngineError('not_found', 'There is no such person.', { hint: '`ltm users ls` shows who is here.' });
  return found;
}

export async function describeSelf({ identity }: Pick<AccountPorts, 'identity'>, { userId }: Caller): Promise<User> {
  return (
    (await identity.findUser({ id: userId })) ?? {
      id: userId,
      name: userId,
      email: null,
      createdAt: 0,
      suspendedAt: null,
    }
  );
}

async function ensureUser(
  ports: AccountPorts,
  asker: Asker,
  wanted: NewUserInput,
): Promise<{ user: User; created: boolean }> {
  demandOperator(asker, 'add people');
  if (wanted.id === undefined && wanted.email === undefined && wanted.name === undefined)
    throw new EngineError('invalid_input', 'Nothing says who it is.', { hint: 'Give an id, an email or a name.' });
  const { identity, clock } = ports;
  if (wanted.id === OWNER_USER) await ensureOwnerUser(ports);
  const email = wanted.email === undefined ? null : readEmail(wanted.email);
  const known = wanted.id === undefined ? null : await identity.findUser({ id: readUserId(wanted.id) });
  const knownByEmail = email === null ? null : await identity.findUser({ email });
  const found = known ?? (wanted.id === undefined ? knownByEmail : null);
  if (found !== null) return { user: found, created: false };
  if (knownByEmail !== null) throw emailTaken();
  const now = clock.now();
  const id = wanted.id ?? newUserId(now);
  const user: User = {
    id,
    name: readName(wanted.name ?? email?.split('@')[0] ?? id),
    email,
    createdAt: now,
    suspendedAt: null,
  };
  const conflict = await tryChanges(identity, asker, [{ op: 'add_user', user }]);
  if (conflict === null) return { user, created: true };
  const other = (await identity.findUser({ id })) ?? (email === null ? null : await identity.findUser({ email }));
  if (other === null) throw emailTaken();
  return { user: other, created: false };
}

export function emailTaken(): EngineError {
  return new EngineError('duplicate', 'Somebody here has this email address already.', {
    hint: 'Sign in with it, or take another one.',
  });
}

async function suspendUser(
  ports: AccountPorts,
  asker: Asker,
  { user, suspended }: { user: string; suspended: boolean },
): Promise<User> {
  demandOperator(asker, 'suspend people');
  const found = await needUser(ports, user);
  if (suspended && found.id === OWNER_USER) throw ownerStays();
  const suspendedAt = suspended ? (found.suspendedAt ?? ports.clock.now()) : null;
  if (suspendedAt !== found.suspendedAt)
    await applyChanges(ports.identity, asker, [{ op: 'update_user', id: found.id, suspendedAt }]);
  return { ...found, suspendedAt };
}

async function removeUser(ports: AccountPorts, asker: Asker, user: string): Promise<void> {
  demandOperator(asker, 'remove people');
  const id = user === OWNER_USER ? user : (await needUser(ports, user)).id;
  if (id === OWNER_USER) throw ownerStays();
  const conflict = await tryChanges(ports.identity, asker, [{ op: 'remove_user', id }]);
  if (conflict === null || conflict.reason === 'missing') return;
  throw new EngineError('conflict', 'This person owns a team.', {
    hint: 'Hand the team over or delete it first.',
    details: { reason: conflict.reason },
  });
}

function ownerStays(): EngineError {
  return new EngineError('invalid_input', 'The owner of the server can be neither suspended nor removed.', {
    hint: 'Revoke single tokens with `ltm tokens revoke`.',
  });
}

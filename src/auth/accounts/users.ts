import { type Caller, OWNER_USER } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { Removal, User, UserId } from '../../model/identity.ts';
import { toIso } from '../../model/instant.ts';
import { plainAddress } from '../../model/networks.ts';
import { type Asker, OPERATOR } from '../accounts.ts';
import { listPasswordGrants } from '../oauth/grants.ts';
import { ensureOwnerUser } from '../owner-token.ts';
import { checkPasswordRules } from '../password-rules.ts';
import {
  type AccountPorts,
  type AccountVerbs,
  applyChanges,
  demandOperator,
  demandPerson,
  isOperator,
  ownsItself,
  tryChanges,
} from './account-rights.ts';
import { newId, readEmail, readName, readUserId } from './names.ts';

/** Longer ones cost more to hash and are nobody's. */
const MAX_INPUT_CHARS = 4096;

const checkPassword: AccountVerbs['checkPassword'] = (ports) => async (login, password, address) => {
  const { identity, passwords, logins, log } = ports;
  const name = login.normalize('NFC').trim().slice(0, MAX_INPUT_CHARS);
  const user = await findUser(ports, name);
  const attempt = logins.begin(address, user?.id ?? `unknown ${name.toLowerCase()}`, user?.id === OWNER_USER);
  const stored = user === null ? null : await identity.findPassword(user.id);
  const isRight = await passwords.verify(password.slice(0, MAX_INPUT_CHARS), stored);
  if (!isRight || user === null || user.suspendedAt !== null) {
    log.warn('request_refused', { reason: 'password', address: plainAddress(address) });
    return null;
  }
  attempt.succeeded();
  return user;
};

export const USER_VERBS = {
  getUser: (ports) => (asker) => describeSelf(ports, asker),
  ensureUser: (ports) => async (asker, wanted) => {
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
    const removal = await findRemoval(ports, { id: wanted.id, email: wanted.email });
    if (removal !== null) refuseRemoved(removal, wanted);
    const now = clock.now();
    const id = wanted.id ?? (removal?.purgeAskedAt === null ? removal.id : newId('user_', now));
    const name = readName(wanted.name ?? email?.split('@')[0] ?? id);
    const user: User = { id, name, email, createdAt: now, suspendedAt: null };
    const conflict = await tryChanges(identity, asker, [{ op: 'add_user', user }]);
    if (conflict === null) return { user, created: true };
    const other = (await identity.findUser({ id })) ?? (email === null ? null : await identity.findUser({ email }));
    if (other === null) throw emailTaken();
    return { user: other, created: false };
  },
  listUsers: (ports) => async (asker) => {
    demandOperator(asker, 'list people');
    return ports.identity.listUsers();
  },
  suspendUser: (ports) => async (asker, user, suspended) => {
    demandOperator(asker, 'suspend people');
    const found = await needUser(ports, user);
    if (suspended && found.id === OWNER_USER) throw ownerStays();
    const suspendedAt = suspended ? (found.suspendedAt ?? ports.clock.now()) : null;
    if (suspendedAt !== found.suspendedAt)
      await applyChanges(ports.identity, asker, [{ op: 'update_user', id: found.id, suspendedAt }]);
    return { ...found, suspendedAt };
  },
  findPerson: (ports) => async (asker, user) => {
    demandOperator(asker, 'list people');
    const found = user === OWNER_USER ? await ensureOwnerUser(ports) : await findUser(ports, user);
    if (found !== null) return { id: found.id, name: found.name, removedAt: null };
    const removal = await findRemoval(ports, { id: user, email: user });
    if (removal === null) throw noSuchPerson();
    return { id: removal.id, name: removal.id, removedAt: removal.removedAt };
  },
  removeUser: (ports) => async (asker, user, options) => {
    demandOperator(asker, 'remove people');
    const purge = options?.purge === true;
    const removal =
      purge && (await findUser(ports, user)) === null ? await findRemoval(ports, { id: user, email: user }) : null;
    const id = removal?.id ?? (user === OWNER_USER ? user : (await needUser(ports, user)).id);
    if (id === OWNER_USER) throw ownerStays();
    const conflict = await tryChanges(ports.identity, asker, [
      ...(removal === null ? [{ op: 'remove_user', id } as const] : []),
      ...(purge ? [{ op: 'purge_user', id } as const] : []),
    ]);
    if (conflict?.reason === 'missing' && purge) await applyChanges(ports.identity, asker, [{ op: 'purge_user', id }]);
    if (conflict === null || conflict.reason === 'missing') return id;
    throw new EngineError('conflict', 'This person owns a team.', {
      hint: 'Transfer or delete the team first.',
      details: { reason: conflict.reason },
    });
  },
  setPassword: (ports) => async (asker, user, password) => {
    demandSelf(asker, user);
    await keepPassword(ports, asker, { user, password });
  },
  /** Whoever has the old one may set a new one, with whatever credential writes. */
  changePassword: (ports) => async (asker, change) => {
    const user = asker.userId;
    if (change.current === undefined) demandSelf(asker, user);
    else {
      demandPerson(asker, 'set the password');
      if ((await checkPassword(ports)(user, change.current, change.address)) === null)
        throw new EngineError('forbidden', 'The current password is wrong.', {
          hint: 'The operator can set a new one: `ltm users passwd`.',
        });
    }
    await keepPassword(ports, asker, { user, password: change.password });
  },
  checkPassword,
} satisfies Partial<AccountVerbs>;

/** By id or email. */
async function findUser({ identity }: Pick<AccountPorts, 'identity'>, user: string): Promise<User | null> {
  return (
    (await identity.findUser({ id: user })) ??
    (user.includes('@') ? identity.findUser({ email: user.trim().toLowerCase() }) : null)
  );
}

export async function needUser(ports: Pick<AccountPorts, 'identity'>, user: string): Promise<User> {
  const found = await findUser(ports, user);
  if (found !== null) return found;
  const removal = await findRemoval(ports, { id: user, email: user });
  throw removal === null ? noSuchPerson() : personRemoved(removal, 'not_found');
}

function noSuchPerson(): EngineError {
  return new EngineError('not_found', 'There is no such person.', { hint: '`ltm users ls` lists people.' });
}

async function findRemoval(
  { identity }: Pick<AccountPorts, 'identity'>,
  { id, email }: { id?: UserId | undefined; email?: string | undefined },
): Promise<Removal | null> {
  const found = id === undefined ? null : await identity.findRemoval({ id });
  if (found !== null || email === undefined || !email.includes('@')) return found;
  return identity.findRemoval({ email });
}

/** Whoever reads a name off an old list must not open what somebody has left behind. */
function refuseRemoved(removal: Removal, { id, again }: { id?: UserId; again?: boolean }): void {
  if (removal.purgeAskedAt !== null && id !== undefined)
    throw new EngineError(
      'conflict',
      'This person was removed with everything they stored; the id is not used again.',
      {
        hint: 'Add them with another id.',
        details: { id: removal.id, removed_at: toIso(removal.removedAt) },
      },
    );
  if (again !== true) throw personRemoved(removal, 'conflict');
}

function personRemoved({ id, removedAt }: Removal, code: 'conflict' | 'not_found'): EngineError {
  return new EngineError(code, 'This person was removed.', {
    hint: `\`ltm users add ${id} --again\` adds them again, with whatever is left in their space.`,
    details: { id, removed_at: toIso(removedAt) },
  });
}

export async function describeSelf({ identity }: Pick<AccountPorts, 'identity'>, { userId }: Caller): Promise<User> {
  const known = await identity.findUser({ id: userId });
  return known ?? { id: userId, name: userId, email: null, createdAt: 0, suspendedAt: null };
}

export function emailTaken(): EngineError {
  return new EngineError('duplicate', 'This email address is already in use.', {
    hint: 'Sign in with it, or use another one.',
  });
}

function ownerStays(): EngineError {
  return new EngineError('invalid_input', 'The owner of the server cannot be suspended or removed.', {
    hint: 'Revoke individual tokens with `ltm tokens revoke`.',
  });
}

/** What the old one has opened ends with it: browser sessions by themselves, and the programs let in with it here. */
async function keepPassword(
  { identity, passwords }: AccountPorts,
  asker: Asker,
  { user, password }: { user: string; password: string | null },
): Promise<void> {
  const found = await needUser({ identity }, user);
  if (password !== null) checkPasswordRules(password, found);
  const hash = password === null ? null : await passwords.hash(password);
  const grants = await listPasswordGrants(identity, found.id);
  await applyChanges(identity, asker, [{ op: 'set_password', userId: found.id, hash }]);
  for (const grant of grants) await tryChanges(identity, asker, [{ op: 'remove_grant', grant }]);
}

/** A password opens everything of a person, so only the scope that does so may set one. */
function demandSelf(asker: Asker, user: string): void {
  if (asker === OPERATOR || isOperator(asker)) return;
  if (asker.userId === user && asker.scopes.has('admin') && ownsItself(asker)) return;
  throw new EngineError('forbidden', 'This credential may not set this password.', {
    hint: 'Give the current password too, or use a token with the scope "admin". The operator can always set it with `ltm users passwd`.',
  });
}

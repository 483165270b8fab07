import { type Caller, OWNER_USER } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { User } from '../../model/identity.ts';
import { type Accounts, type Asker, OPERATOR, type PasswordChange } from '../accounts.ts';
import { plainAddress } from '../address-key.ts';
import { listPasswordGrants } from '../oauth/grants.ts';
import { checkPasswordRules } from '../password-rules.ts';
import type { AccountPorts } from './account-ports.ts';
import { demandPerson, isOperator, ownsItself } from './account-rights.ts';
import { applyChanges, tryChanges } from './apply-changes.ts';
import { findUser, needUser } from './users.ts';

type PasswordVerbs = Pick<Accounts, 'setPassword' | 'changePassword' | 'checkPassword'>;

/** Longer ones cost more to hash and are nobody's. */
const MAX_INPUT_CHARS = 4096;

export function createPasswordVerbs(ports: AccountPorts): PasswordVerbs {
  return {
    setPassword: (asker, user, password) => setPassword(ports, asker, { user, password }),
    changePassword: (asker, change) => changePassword(ports, asker, change),
    checkPassword: (login, password, address) => checkPassword(ports, { login, password, address }),
  };
}

async function setPassword(
  ports: AccountPorts,
  asker: Asker,
  { user, password }: { user: string; password: string | null },
): Promise<void> {
  demandSelf(asker, user);
  await keepPassword(ports, asker, { user, password });
}

/** Whoever has the old one may set a new one, with whatever credential writes. */
async function changePassword(
  ports: AccountPorts,
  asker: Caller,
  { current, password, address }: PasswordChange,
): Promise<void> {
  const user = asker.userId;
  if (current === undefined) return setPassword(ports, asker, { user, password });
  demandPerson(asker, 'set the password');
  if ((await checkPassword(ports, { login: user, password: current, address })) === null)
    throw new EngineError('forbidden', 'The current password is not right.', {
      hint: 'The operator can set a new one: `ltm users passwd`.',
    });
  await keepPassword(ports, asker, { user, password });
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
    hint: 'Give the current password too, or use a token with the scope "admin". The operator can always: `ltm users passwd`.',
  });
}

async function checkPassword(
  { identity, passwords, logins, log }: AccountPorts,
  { login, password, address }: { login: string; password: string; address: string },
): Promise<User | null> {
  const name = login.normalize('NFC').trim().slice(0, MAX_INPUT_CHARS);
  const user = await findUser({ identity }, name);
  const attempt = logins.begin(address, user?.id ?? `unknown ${name.toLowerCase()}`, user?.id === OWNER_USER);
  const stored = user === null ? null : await identity.findPassword(user.id);
  const isRight = await passwords.verify(password.slice(0, MAX_INPUT_CHARS), stored);
  if (!isRight || user === null || user.suspendedAt !== null) {
    log.warn('request_refused', { reason: 'password', address: plainAddress(address) });
    return null;
  }
  attempt.succeeded();
  return user;
}

import { EngineError } from '../../model/errors.ts';
import type { User } from '../../model/identity.ts';
import { type Accounts, type Asker, OPERATOR } from '../accounts.ts';
import { plainAddress } from '../address-key.ts';
import { checkPasswordRules } from '../password-rules.ts';
import type { AccountPorts } from './account-ports.ts';
import { apply } from './apply.ts';
import { isOperator, ownsItself } from './askers.ts';
import { findUser, needUser } from './users.ts';

type PasswordVerbs = Pick<Accounts, 'setPassword' | 'checkPassword'>;

/** Longer ones cost more to hash and are nobody's. */
const MAX_INPUT_CHARS = 4096;

export function createPasswordVerbs(ports: AccountPorts): PasswordVerbs {
  return {
    setPassword: (asker, user, password) => setPassword(ports, asker, { user, password }),
    checkPassword: (login, password, address) => checkPassword(ports, { login, password, address }),
  };
}

async function setPassword(ports: AccountPorts, asker: Asker, { user, password }: { user: string; password: string | null }): Promise<void> {
  demandSelf(asker, user);
  const found = await needUser(ports, user);
  if (password !== null) checkPasswordRules(password, found);
  const hash = password === null ? null : await ports.passwords.hash(password);
  await apply(ports.identity, asker, [{ op: 'set_password', userId: found.id, hash }]);
}

/** A password opens everything of a person, so only the scope that does so may set one. */
function demandSelf(asker: Asker, user: string): void {
  if (asker === OPERATOR || isOperator(asker)) return;
  if (asker.userId === user && asker.scopes.has('admin') && ownsItself(asker)) return;
  throw new EngineError('forbidden', 'This credential may not set this password.', { hint: 'The operator can: `ltm users passwd`.' });
}

async function checkPassword(
  { identity, passwords, logins, log }: AccountPorts,
  { login, password, address }: { login: string; password: string; address: string },
): Promise<User | null> {
  const name = login.normalize('NFC').trim().slice(0, MAX_INPUT_CHARS);
  const user = await findUser({ identity }, name);
  const attempt = logins.begin(address, user?.id ?? `unknown ${name.toLowerCase()}`);
  const stored = user === null ? null : await identity.findPassword(user.id);
  const isRight = await passwords.verify(password.slice(0, MAX_INPUT_CHARS), stored);
  if (!isRight || user === null || user.suspendedAt !== null) {
    log.warn('request_refused', { reason: 'password', address: plainAddress(address) });
    return null;
  }
  attempt.succeeded();
  return user;
}

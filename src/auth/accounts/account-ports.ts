import type { Clock, Log } from '../../engine/ports.ts';
import type { LoginLimit } from '../login-limit.ts';
import type { PasswordHasher } from '../password-hash.ts';
import type { AuthStore } from '../ports.ts';

/** What the verbs of Accounts work with. */
export interface AccountPorts {
  identity: AuthStore;
  clock: Clock;
  log: Log;
  passwords: PasswordHasher;
  logins: LoginLimit;
}

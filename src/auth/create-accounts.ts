import { TOKEN_VERBS } from './accounts/access-tokens.ts';
import type { AccountPorts, AccountVerbs } from './accounts/account-rights.ts';
import { INVITE_VERBS } from './accounts/invites.ts';
import { TEAM_VERBS } from './accounts/teams.ts';
import { USER_VERBS } from './accounts/users.ts';
import type { Accounts } from './accounts.ts';
import { createPasswordHasher } from './password-hash.ts';
import { createLoginLimit } from './token-buckets.ts';

const VERBS: AccountVerbs = { ...USER_VERBS, ...TOKEN_VERBS, ...TEAM_VERBS, ...INVITE_VERBS };

export function createAccounts(given: Pick<AccountPorts, 'identity' | 'clock' | 'log'>): Accounts {
  const ports = { ...given, passwords: createPasswordHasher(), logins: createLoginLimit(given.clock) };
  const accounts: Partial<Record<keyof Accounts, unknown>> = {};
  for (const [name, make] of Object.entries(VERBS)) accounts[name as keyof Accounts] = make(ports);
  return accounts as Accounts;
}

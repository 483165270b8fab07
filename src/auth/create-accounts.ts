import type { Clock, Log } from '../engine/ports.ts';
import { createTokenVerbs } from './accounts/access-tokens.ts';
import type { AccountPorts } from './accounts/account-ports.ts';
import { createAuditVerbs } from './accounts/audit.ts';
import { createInviteVerbs } from './accounts/invites.ts';
import { createMemberVerbs } from './accounts/members.ts';
import { createPasswordVerbs } from './accounts/passwords.ts';
import { createTeamVerbs } from './accounts/teams.ts';
import { createUserVerbs } from './accounts/users.ts';
import type { Accounts } from './accounts.ts';
import { createLoginLimit } from './login-limit.ts';
import { createPasswordHasher } from './password-hash.ts';
import type { AuthStore } from './ports.ts';

export function createAccounts({ identity, clock, log }: { identity: AuthStore; clock: Clock; log: Log }): Accounts {
  const ports: AccountPorts = {
    identity,
    clock,
    log,
    passwords: createPasswordHasher(),
    logins: createLoginLimit(clock),
  };
  return {
    ...createUserVerbs(ports),
    ...createPasswordVerbs(ports),
    ...createTokenVerbs(ports),
    ...createTeamVerbs(ports),
    ...createMemberVerbs(ports),
    ...createInviteVerbs(ports),
    ...createAuditVerbs(ports),
  };
}

import type { TeamId, UserId } from '../model/identity.ts';
import { type Instant, newRecordId } from '../model/ids.ts';

/** Nobody's user id begins so: a person's space and a team's never have the same name. */
export const TEAM_PREFIX = 'team_';

export function newUserId(now: Instant): UserId {
  return `user_${newRecordId(now)}`;
}

export function newTeamId(now: Instant): TeamId {
  return `${TEAM_PREFIX}${newRecordId(now)}`;
}

export function newInviteId(now: Instant): string {
  return `inv_${newRecordId(now)}`;
}

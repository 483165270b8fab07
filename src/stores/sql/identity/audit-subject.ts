import type { Grant, IdentityConflict, TeamId, UserId } from '../../../model/identity.ts';

/** What the audit log says of a change that was applied. */
export interface Applied {
  subject: string;
  teamId: TeamId | null;
}
export type Refusal = IdentityConflict['reason'];

export function ofUser(id: UserId): Applied {
  return { subject: `user:${id}`, teamId: null };
}

export function ofMember(userId: UserId, teamId: TeamId): Applied {
  return { subject: `user:${userId}`, teamId };
}

export function ofTeam(id: TeamId): Applied {
  return { subject: `team:${id}`, teamId: id };
}

export function ofToken(id: string, teamId: TeamId | null): Applied {
  return { subject: `token:${id}`, teamId };
}

export function ofInvite(id: string, teamId: TeamId): Applied {
  return { subject: `invite:${id}`, teamId };
}

export function ofGrant({ id, teamId }: Grant): Applied {
  return { subject: `grant:${id}`, teamId };
}

/** Named by its record: the link's hash means nothing to anybody who reads the log. */
export function ofLink(recordId: string, teamId: TeamId | null): Applied {
  return { subject: `link:${recordId}`, teamId };
}

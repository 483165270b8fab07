import type { AccessToken } from '../model/identity.ts';

/** As REST shows it; never the hash. */
export function describeToken({
  id,
  name,
  userId,
  scopes,
  teamId,
  agent,
  ...times
}: AccessToken): Record<string, unknown> {
  return {
    id,
    name,
    user_id: userId,
    scopes,
    team_id: teamId,
    agent,
    created_at: toIso(times.createdAt),
    last_used_at: toIso(times.lastUsedAt),
    revoked_at: toIso(times.revokedAt),
    expires_at: toIso(times.expiresAt),
  };
}

export function toIso(instant: number | null): string | null {
  return instant === null ? null : new Date(instant).toISOString();
}

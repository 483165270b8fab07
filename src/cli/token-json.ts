import type { AccessToken } from '../model/identity.ts';
import { toIsoOrNull } from '../model/instant.ts';

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
    created_at: toIsoOrNull(times.createdAt),
    last_used_at: toIsoOrNull(times.lastUsedAt),
    revoked_at: toIsoOrNull(times.revokedAt),
    expires_at: toIsoOrNull(times.expiresAt),
  };
}

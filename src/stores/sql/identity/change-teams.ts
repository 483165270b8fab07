import type { IdentityChange, Invite, Membership, Team, TeamId, UserId } from '../../../model/identity.ts';
import { INVITE_COLUMNS, TEAM_COLUMNS } from '../../rows/identity-rows.ts';
import { exists, find, type Steps, write } from '../statements.ts';
import { type Applied, ofInvite, ofMember, ofTeam, type Refusal } from './audit-subject.ts';

function* findOwner(team: TeamId): Steps<UserId | undefined> {
  return (yield* find<{ owner_id: UserId }>('SELECT owner_id FROM teams WHERE id = $1', team))?.owner_id;
}

export function* addTeam({ id, name, ownerId, createdAt }: Team): Steps<Applied | Refusal> {
  if (yield* exists('SELECT 1 FROM users WHERE id = $1', id)) return 'exists';
  const added = yield* write(
    `INSERT INTO teams (${TEAM_COLUMNS}) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
    id,
    name,
    ownerId,
    createdAt,
  );
  if (added === 0) return 'exists';
  yield* write(
    "INSERT INTO memberships (team_id, user_id, role, joined_at) VALUES ($1, $2, 'owner', $3)",
    id,
    ownerId,
    createdAt,
  );
  return ofTeam(id);
}

/** Memberships, invites and tokens go with the team's row. */
export function* removeTeam(id: TeamId): Steps<Applied | Refusal> {
  yield* write('DELETE FROM public_links WHERE space_id = (SELECT id FROM teams WHERE id = $1)', id);
  return (yield* write('DELETE FROM teams WHERE id = $1', id)) === 0 ? 'missing' : ofTeam(id);
}

export function* transferTeam(id: TeamId, to: UserId): Steps<Applied | Refusal> {
  const owner = yield* findOwner(id);
  if (owner === undefined) return 'missing';
  if (!(yield* exists('SELECT 1 FROM memberships WHERE team_id = $1 AND user_id = $2', id, to))) return 'missing';
  yield* write("UPDATE memberships SET role = 'admin' WHERE team_id = $1 AND user_id = $2", id, owner);
  yield* write("UPDATE memberships SET role = 'owner' WHERE team_id = $1 AND user_id = $2", id, to);
  yield* write('UPDATE teams SET owner_id = $1 WHERE id = $2', to, id);
  return ofTeam(id);
}

/** A team has one owner, who changes by transfer alone. */
export function* putMember(
  { teamId, userId, role, joinedAt }: Membership,
  unlessMember: boolean,
): Steps<Applied | Refusal> {
  const owner = yield* findOwner(teamId);
  if (owner === undefined) return 'missing';
  const applied = ofMember(userId, teamId);
  const isMember = yield* exists('SELECT 1 FROM memberships WHERE team_id = $1 AND user_id = $2', teamId, userId);
  if (isMember && unlessMember) return applied;
  if (owner === userId && role !== 'owner') return 'owns_team';
  if (owner !== userId && role === 'owner') return 'exists';
  yield* write(
    'INSERT INTO memberships (team_id, user_id, role, joined_at) VALUES ($1, $2, $3, $4) ON CONFLICT (team_id, user_id) DO UPDATE SET role = excluded.role',
    ...[teamId, userId, role, joinedAt],
  );
  return applied;
}

export function* removeMember({
  teamId,
  userId,
  at,
}: Extract<IdentityChange, { op: 'remove_member' }>): Steps<Applied | Refusal> {
  if ((yield* findOwner(teamId)) === userId) return 'owns_team';
  if ((yield* write('DELETE FROM memberships WHERE team_id = $1 AND user_id = $2', teamId, userId)) === 0)
    return 'missing';
  yield* write(
    'UPDATE access_tokens SET revoked_at = coalesce(revoked_at, $1) WHERE team_id = $2 AND user_id = $3',
    at,
    teamId,
    userId,
  );
  return ofMember(userId, teamId);
}

export function* addInvite(invite: Invite): Steps<Applied | Refusal> {
  const { id, sha256, teamId, role, createdBy, createdAt, expiresAt, consumedAt, consumedBy } = invite;
  if ((yield* findOwner(teamId)) === undefined) return 'missing';
  const added = yield* write(
    `INSERT INTO invites (${INVITE_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING`,
    ...[id, sha256, teamId, role, createdBy, createdAt, expiresAt, consumedAt, consumedBy],
  );
  return added === 0 ? 'exists' : ofInvite(id, teamId);
}

export function* consumeInvite(change: Extract<IdentityChange, { op: 'consume_invite' }>): Steps<Applied | Refusal> {
  const { sha256, userId, at } = change;
  const consumed = yield* write(
    'UPDATE invites SET consumed_at = $1, consumed_by = $2 WHERE sha256 = $3 AND consumed_at IS NULL AND expires_at > $4',
    ...[at, userId, sha256, at],
  );
  const invite = yield* find<{ id: string; team_id: TeamId }>(
    'SELECT id, team_id FROM invites WHERE sha256 = $1',
    sha256,
  );
  return consumed === 0 || invite === undefined ? 'gone' : ofInvite(invite.id, invite.team_id);
}

export function* removeInvite(id: string): Steps<Applied | Refusal> {
  const invite = yield* find<{ team_id: TeamId }>('SELECT team_id FROM invites WHERE id = $1', id);
  if (invite === undefined) return 'missing';
  yield* write('DELETE FROM invites WHERE id = $1', id);
  return ofInvite(id, invite.team_id);
}

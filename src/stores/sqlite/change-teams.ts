import type { IdentityChange, Invite, Membership, Team, TeamId, UserId } from '../../model/identity.ts';
import type { Applied, IdentityWork, Refusal } from './change-identity.ts';
import { INVITE_COLUMNS, TEAM_COLUMNS } from './identity-rows.ts';

function ofTeam(id: TeamId): Applied {
  return { subject: `team:${id}`, teamId: id };
}

function findOwner({ find }: IdentityWork, team: TeamId): UserId | undefined {
  return find<{ owner_id: UserId }>('SELECT owner_id FROM teams WHERE id = ?', team)?.owner_id;
}

export function addTeam({ write, find }: IdentityWork, { id, name, ownerId, createdAt }: Team): Applied | Refusal {
  if (find('SELECT 1 FROM users WHERE id = ?', id) !== undefined) return 'exists';
  const added = write(`INSERT INTO teams (${TEAM_COLUMNS}) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`, id, name, ownerId, createdAt);
  if (added === 0) return 'exists';
  write("INSERT INTO memberships (team_id, user_id, role, joined_at) VALUES (?, ?, 'owner', ?)", id, ownerId, createdAt);
  return ofTeam(id);
}

/** Memberships, invites and tokens go with the team's row. */
export function removeTeam({ write }: IdentityWork, id: TeamId): Applied | Refusal {
  write('DELETE FROM public_links WHERE space_id = (SELECT id FROM teams WHERE id = ?)', id);
  return write('DELETE FROM teams WHERE id = ?', id) === 0 ? 'missing' : ofTeam(id);
}

export function transferTeam(work: IdentityWork, id: TeamId, to: UserId): Applied | Refusal {
  const owner = findOwner(work, id);
  if (owner === undefined) return 'missing';
  if (work.find('SELECT 1 FROM memberships WHERE team_id = ? AND user_id = ?', id, to) === undefined) return 'missing';
  work.write("UPDATE memberships SET role = 'admin' WHERE team_id = ? AND user_id = ?", id, owner);
  work.write("UPDATE memberships SET role = 'owner' WHERE team_id = ? AND user_id = ?", id, to);
  work.write('UPDATE teams SET owner_id = ? WHERE id = ?', to, id);
  return ofTeam(id);
}

/** A team has one owner, who changes by transfer alone. */
export function putMember(work: IdentityWork, { teamId, userId, role, joinedAt }: Membership, unlessMember: boolean): Applied | Refusal {
  const owner = findOwner(work, teamId);
  if (owner === undefined) return 'missing';
  const applied = { subject: `user:${userId}`, teamId };
  const isMember = work.find('SELECT 1 FROM memberships WHERE team_id = ? AND user_id = ?', teamId, userId) !== undefined;
  if (isMember && unlessMember) return applied;
  if (owner === userId && role !== 'owner') return 'owns_team';
  if (owner !== userId && role === 'owner') return 'exists';
  work.write(
    'INSERT INTO memberships (team_id, user_id, role, joined_at) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET role = excluded.role',
    ...[teamId, userId, role, joinedAt],
  );
  return applied;
}

export function removeMember(work: IdentityWork, { teamId, userId, at }: Extract<IdentityChange, { op: 'remove_member' }>): Applied | Refusal {
  if (findOwner(work, teamId) === userId) return 'owns_team';
  if (work.write('DELETE FROM memberships WHERE team_id = ? AND user_id = ?', teamId, userId) === 0) return 'missing';
  work.write('UPDATE access_tokens SET revoked_at = ifnull(revoked_at, ?) WHERE team_id = ? AND user_id = ?', at, teamId, userId);
  return { subject: `user:${userId}`, teamId };
}

export function addInvite(work: IdentityWork, invite: Invite): Applied | Refusal {
  const { id, sha256, teamId, role, createdBy, createdAt, expiresAt, consumedAt, consumedBy } = invite;
  if (findOwner(work, teamId) === undefined) return 'missing';
  const added = work.write(
    `INSERT INTO invites (${INVITE_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    ...[id, sha256, teamId, role, createdBy, createdAt, expiresAt, consumedAt, consumedBy],
  );
  return added === 0 ? 'exists' : { subject: `invite:${id}`, teamId };
}

export function consumeInvite({ write, find }: IdentityWork, change: Extract<IdentityChange, { op: 'consume_invite' }>): Applied | Refusal {
  const { sha256, userId, at } = change;
  const consumed = write(
    'UPDATE invites SET consumed_at = ?, consumed_by = ? WHERE sha256 = ? AND consumed_at IS NULL AND expires_at > ?',
    ...[at, userId, sha256, at],
  );
  const invite = find<{ id: string; team_id: TeamId }>('SELECT id, team_id FROM invites WHERE sha256 = ?', sha256);
  return consumed === 0 || invite === undefined ? 'gone' : { subject: `invite:${invite.id}`, teamId: invite.team_id };
}

export function removeInvite({ write, find }: IdentityWork, id: string): Applied | Refusal {
  const invite = find<{ team_id: TeamId }>('SELECT team_id FROM invites WHERE id = ?', id);
  if (invite === undefined) return 'missing';
  write('DELETE FROM invites WHERE id = ?', id);
  return { subject: `invite:${id}`, teamId: invite.team_id };
}

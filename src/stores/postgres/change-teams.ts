import type { IdentityChange, Invite, Membership, Team, TeamId, UserId } from '../../model/identity.ts';
import { INVITE_COLUMNS, TEAM_COLUMNS } from '../sqlite/identity-rows.ts';
import type { Applied, IdentityWork, Refusal } from './change-identity.ts';

function ofTeam(id: TeamId): Applied {
  return { subject: `team:${id}`, teamId: id };
}

async function findOwner({ find }: IdentityWork, team: TeamId): Promise<UserId | undefined> {
  return (await find<{ owner_id: UserId }>('SELECT owner_id FROM teams WHERE id = $1', team))?.owner_id;
}

export async function addTeam({ write, find }: IdentityWork, { id, name, ownerId, createdAt }: Team): Promise<Applied | Refusal> {
  if ((await find('SELECT 1 FROM users WHERE id = $1', id)) !== undefined) return 'exists';
  const added = await write(`INSERT INTO teams (${TEAM_COLUMNS}) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`, id, name, ownerId, createdAt);
  if (added === 0) return 'exists';
  await write("INSERT INTO memberships (team_id, user_id, role, joined_at) VALUES ($1, $2, 'owner', $3)", id, ownerId, createdAt);
  return ofTeam(id);
}

/** Memberships, invites and tokens go with the team's row. */
export async function removeTeam({ write }: IdentityWork, id: TeamId): Promise<Applied | Refusal> {
  await write('DELETE FROM public_links WHERE space_id = (SELECT id FROM teams WHERE id = $1)', id);
  return (await write('DELETE FROM teams WHERE id = $1', id)) === 0 ? 'missing' : ofTeam(id);
}

export async function transferTeam(work: IdentityWork, id: TeamId, to: UserId): Promise<Applied | Refusal> {
  const owner = await findOwner(work, id);
  if (owner === undefined) return 'missing';
  if ((await work.find('SELECT 1 FROM memberships WHERE team_id = $1 AND user_id = $2', id, to)) === undefined) return 'missing';
  await work.write("UPDATE memberships SET role = 'admin' WHERE team_id = $1 AND user_id = $2", id, owner);
  await work.write("UPDATE memberships SET role = 'owner' WHERE team_id = $1 AND user_id = $2", id, to);
  await work.write('UPDATE teams SET owner_id = $1 WHERE id = $2', to, id);
  return ofTeam(id);
}

/** A team has one owner, who changes by transfer alone. */
export async function putMember(work: IdentityWork, { teamId, userId, role, joinedAt }: Membership, unlessMember: boolean): Promise<Applied | Refusal> {
  const owner = await findOwner(work, teamId);
  if (owner === undefined) return 'missing';
  const applied = { subject: `user:${userId}`, teamId };
  const isMember = (await work.find('SELECT 1 FROM memberships WHERE team_id = $1 AND user_id = $2', teamId, userId)) !== undefined;
  if (isMember && unlessMember) return applied;
  if (owner === userId && role !== 'owner') return 'owns_team';
  if (owner !== userId && role === 'owner') return 'exists';
  await work.write(
    'INSERT INTO memberships (team_id, user_id, role, joined_at) VALUES ($1, $2, $3, $4) ON CONFLICT (team_id, user_id) DO UPDATE SET role = excluded.role',
    ...[teamId, userId, role, joinedAt],
  );
  return applied;
}

export async function removeMember(work: IdentityWork, { teamId, userId, at }: Extract<IdentityChange, { op: 'remove_member' }>): Promise<Applied | Refusal> {
  if ((await findOwner(work, teamId)) === userId) return 'owns_team';
  if ((await work.write('DELETE FROM memberships WHERE team_id = $1 AND user_id = $2', teamId, userId)) === 0) return 'missing';
  await work.write('UPDATE access_tokens SET revoked_at = coalesce(revoked_at, $1) WHERE team_id = $2 AND user_id = $3', at, teamId, userId);
  return { subject: `user:${userId}`, teamId };
}

export async function addInvite(work: IdentityWork, invite: Invite): Promise<Applied | Refusal> {
  const { id, sha256, teamId, role, createdBy, createdAt, expiresAt, consumedAt, consumedBy } = invite;
  if ((await findOwner(work, teamId)) === undefined) return 'missing';
  const added = await work.write(
    `INSERT INTO invites (${INVITE_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING`,
    ...[id, sha256, teamId, role, createdBy, createdAt, expiresAt, consumedAt, consumedBy],
  );
  return added === 0 ? 'exists' : { subject: `invite:${id}`, teamId };
}

export async function consumeInvite({ write, find }: IdentityWork, change: Extract<IdentityChange, { op: 'consume_invite' }>): Promise<Applied | Refusal> {
  const { sha256, userId, at } = change;
  const consumed = await write(
    'UPDATE invites SET consumed_at = $1, consumed_by = $2 WHERE sha256 = $3 AND consumed_at IS NULL AND expires_at > $4',
    ...[at, userId, sha256, at],
  );
  const invite = await find<{ id: string; team_id: TeamId }>('SELECT id, team_id FROM invites WHERE sha256 = $1', sha256);
  return consumed === 0 || invite === undefined ? 'gone' : { subject: `invite:${invite.id}`, teamId: invite.team_id };
}

export async function removeInvite({ write, find }: IdentityWork, id: string): Promise<Applied | Refusal> {
  const invite = await find<{ team_id: TeamId }>('SELECT team_id FROM invites WHERE id = $1', id);
  if (invite === undefined) return 'missing';
  await write('DELETE FROM invites WHERE id = $1', id);
  return { subject: `invite:${id}`, teamId: invite.team_id };
}

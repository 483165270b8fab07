import { deepEqual } from 'node:assert/strict';
import type { OAuthArtifact } from '../../../src/auth/ports.ts';
import type {
  AccessToken,
  IdentityChange,
  IdentityConflict,
  Invite,
  Membership,
  Team,
  User,
} from '../../../src/model/identity.ts';
import { START } from './sample-records.ts';
import type { FullStore } from './store-under-test.ts';

export function user(id: string, overrides: Partial<User> = {}): User {
  return {
    id,
    name: `${id} of the team`,
    email: `${id}@example.org`,
    createdAt: START,
    suspendedAt: null,
    ...overrides,
  };
}

export function team(id: string, overrides: Partial<Team> = {}): Team {
  return { id, name: `${id} people`, ownerId: 'ann', createdAt: START, ...overrides };
}

export function member(teamId: string, userId: string, overrides: Partial<Membership> = {}): Membership {
  return { teamId, userId, role: 'member', joinedAt: START + 1, ...overrides };
}

/** A hash that only this text has. */
export function hashOf(text: string): string {
  return Buffer.from(text).toString('hex').padEnd(64, '0');
}

export function token(id: string, overrides: Partial<AccessToken> = {}): AccessToken {
  return {
    id,
    sha256: hashOf(id),
    userId: 'ann',
    name: 'laptop',
    scopes: ['read', 'write'],
    teamId: null,
    agent: null,
    workspace: null,
    createdAt: START,
    lastUsedAt: null,
    revokedAt: null,
    expiresAt: START + 1000,
    ...overrides,
  };
}

export function invite(id: string, overrides: Partial<Invite> = {}): Invite {
  return {
    id,
    sha256: hashOf(id),
    teamId: 'crew',
    role: 'member',
    createdBy: 'ann',
    createdAt: START,
    expiresAt: START + 1000,
    consumedAt: null,
    consumedBy: null,
    ...overrides,
  };
}

export function artifact(model: string, id: string, overrides: Partial<OAuthArtifact> = {}): OAuthArtifact {
  return {
    model,
    id,
    payload: { of: id },
    grantId: null,
    userCode: null,
    uid: null,
    userId: null,
    expiresAt: START + 1000,
    consumedAt: null,
    ...overrides,
  };
}

/** Ann, who owns the team `crew`, Bob, who is in it, and Cat, who is not. */
export async function settle(store: FullStore): Promise<void> {
  await change(store, [
    { op: 'add_user', user: user('ann') },
    { op: 'add_user', user: user('bob', { createdAt: START + 1 }) },
    { op: 'add_user', user: user('cat', { createdAt: START + 2, email: null }) },
    { op: 'add_team', team: team('crew') },
    { op: 'put_member', membership: member('crew', 'bob') },
  ]);
}

export async function change(store: FullStore, changes: readonly IdentityChange[]): Promise<void> {
  deepEqual(await store.changeIdentity(changes, 'operator'), { outcome: 'changed' });
}

/** The last of the changes must meet this conflict. */
export async function refuse(
  store: FullStore,
  changes: readonly IdentityChange[],
  reason: IdentityConflict['reason'],
): Promise<void> {
  deepEqual(await store.changeIdentity(changes, 'operator'), {
    outcome: 'conflict',
    conflict: { index: changes.length - 1, reason },
  });
}

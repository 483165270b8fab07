import { randomBytes } from 'node:crypto';
import { keepConsent } from '../../src/auth/oauth/grants.ts';
import { hashToken } from '../../src/auth/tokens.ts';
import type { Scope } from '../../src/model/caller.ts';
import { TEST_HOST, type TestApp } from '../open-test-app.ts';

const HOUR_MS = 3600_000;

interface Wanted {
  userId: string;
  teamId: string | null;
  scopes?: readonly Scope[];
}

/** As if the person had let a program in at the consent page, for all that they have or for one team. */
export async function addOAuthToken(
  { store }: TestApp,
  { userId, teamId, scopes = ['read', 'write'] }: Wanted,
): Promise<string> {
  const [value, grantId] = [randomBytes(32).toString('base64url'), randomBytes(16).toString('base64url')];
  const [clientId, now] = ['app_test', Date.now()];
  const consent = {
    userId,
    clientId,
    name: 'test',
    redirectHost: null,
    scopes,
    teamId,
    createdAt: now,
    tokenSha256: null,
  } as const;
  await keepConsent(store, grantId, consent);
  const payload = { aud: `http://${TEST_HOST}`, scope: scopes.join(' '), clientId, grantId, accountId: userId };
  const empty = { userCode: null, uid: null, consumedAt: null };
  await store.putArtifact({
    model: 'AccessToken',
    id: hashToken(value),
    payload,
    grantId: hashToken(grantId),
    userId,
    expiresAt: now + HOUR_MS,
    ...empty,
  });
  return value;
}

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { addOAuthToken } from '../../test/isolation/add-oauth-token.ts';
import { openTestApp, type TestApp } from '../../test/open-test-app.ts';
import type { Action } from '../engine/authorize.ts';
import { SCOPES, type Scope } from '../model/caller.ts';
import { ROLES, type Role } from '../model/identity.ts';
import { ROUTES } from '../rest/route-table.ts';
import { createTools } from './create-tools.ts';

/** Written down a second time, on purpose: what each action takes. */
const NEEDS: Record<Action, { scope: Scope; role: Role }> = {
  read: { scope: 'read', role: 'reader' },
  write: { scope: 'write', role: 'member' },
  admin: { scope: 'admin', role: 'admin' },
  raise_trust: { scope: 'write', role: 'admin' },
  curate: { scope: 'write', role: 'admin' },
  lift: { scope: 'write', role: 'member' },
  invite: { scope: 'write', role: 'member' },
  manage_members: { scope: 'write', role: 'admin' },
  manage_team: { scope: 'write', role: 'owner' },
  register: { scope: 'write', role: 'member' },
  tend: { scope: 'write', role: 'member' },
  upload: { scope: 'write', role: 'member' },
};
/** What reads files of the machine is for its owner, who is none of the people below. */
const OWNERS_ALONE = ['memory_harvest'];
const HEADERS = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };

interface Credential {
  what: string;
  value: string;
  scopes: readonly Scope[];
  role: Role;
  query: string;
}

const folder = mkdtempSync(join(tmpdir(), 'ltm-matrix-'));
let app: TestApp;
const credentials: Credential[] = [];
before(async () => {
  const file = join(folder, 'user_tokens.json');
  writeFileSync(file, '{"a-token-of-a-file":"filed"}', { mode: 0o600 });
  app = await openTestApp({ 'writes-per-minute': '0', 'reads-per-minute': '0', 'tokens-file': file });
  const team = { id: 'team_ops', name: 'ops', ownerId: 'a-owner', createdAt: 1 };
  await app.store.changeIdentity([{ op: 'add_team', team }], 'test');
  for (const role of ROLES) {
    const userId = `a-${role}`;
    if (role !== 'owner')
      await app.store.changeIdentity(
        [{ op: 'put_member', membership: { teamId: team.id, userId, role, joinedAt: 1 } }],
        'test',
      );
    const { value } = await app.addToken(SCOPES, userId);
    credentials.push({ what: `${role} of the team it names`, value, scopes: SCOPES, role, query: '?team=ops' });
    const bound = await app.addToken(SCOPES, userId, team.id);
    credentials.push({
      what: `token bound to the team of a ${role}`,
      value: bound.value,
      scopes: SCOPES,
      role,
      query: '',
    });
  }
  for (const scopes of [['read'], ['write'], ['admin'], ['read', 'write']] as const) {
    const { value } = await app.addToken(scopes, `own-${scopes}`);
    credentials.push({ what: `own token with ${scopes}`, value, scopes, role: 'owner', query: '' });
  }
  for (const scopes of [['read'], ['write'], ['read', 'write'], ['read', 'write', 'admin']] as const) {
    const userId = `program-${scopes}`;
    await app.store.changeIdentity(
      [{ op: 'add_user', user: { id: userId, name: userId, email: null, createdAt: 1, suspendedAt: null } }],
      'test',
    );
    const value = await addOAuthToken(app, { userId, teamId: null, scopes });
    credentials.push({ what: `program with ${scopes}`, value, scopes, role: 'owner', query: '' });
  }
  credentials.push({
    what: 'token of a file',
    value: 'a-token-of-a-file',
    scopes: ['read', 'write'],
    role: 'owner',
    query: '',
  });
});
after(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

function mayDo(action: Action, { scopes, role }: Credential): boolean {
  return scopes.includes(NEEDS[action].scope) && ROLES.indexOf(role) >= ROLES.indexOf(NEEDS[action].role);
}

async function callTool(
  name: string,
  { value, query }: Pick<Credential, 'value' | 'query'>,
): Promise<{ status: number; isForbidden: boolean }> {
  const json = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } };
  const response = await app.request('POST', `/mcp${query}`, { token: value, json, headers: HEADERS });
  return {
    status: response.status,
    isForbidden: /"forbidden"|may not (read|change|purge|hand in)/.test(await response.text()),
  };
}

describe('every tool', () => {
  it('is refused to a credential without its scope or role, and to no other', async () => {
    for (const tool of (await createTools()).tools) {
      for (const credential of credentials) {
        const { status, isForbidden } = await callTool(tool.name, credential);
        // A program is told by the status, so that it can ask its person for more.
        assert.equal(
          status,
          credential.what.startsWith('program') && !credential.scopes.includes(NEEDS[tool.action].scope) ? 403 : 200,
        );
        if (!mayDo(tool.action, credential) || OWNERS_ALONE.includes(tool.name))
          assert.ok(isForbidden, `${tool.name} (${tool.action}) with ${credential.what}`);
        else if (credential.scopes.includes('read'))
          assert.ok(!isForbidden, `${tool.name} (${tool.action}) with ${credential.what}`);
      }
    }
  });

  it('of a team is not found by who is not in it', async () => {
    const { value } = await app.addToken(SCOPES, 'stranger');
    for (const query of ['?team=ops', '?team=team_ops', '?team=nowhere']) {
      assert.equal((await callTool('memory_list', { value, query })).status, 404);
      assert.equal((await app.request('GET', `/api/v1/memories${query}`, { token: value })).status, 404);
    }
    assert.equal(
      (await app.request('GET', '/api/v1/memories', { token: value, headers: { 'x-ltm-team': 'ops' } })).status,
      404,
    );
  });
});

it('every route is refused to a role that is not enough for it', async () => {
  for (const { method, path, action } of ROUTES) {
    for (const credential of credentials) {
      if (mayDo(action, credential)) continue;
      const response = await app.request(method, `/api/v1${path.replaceAll(/\{\w+\}/g, 'x')}${credential.query}`, {
        token: credential.value,
      });
      assert.equal(response.status, 403, `${method} ${path} with ${credential.what}`);
    }
  }
});

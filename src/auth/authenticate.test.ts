import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Log } from '../engine/ports.ts';
import type { Caller } from '../model/caller.ts';
import { EngineError } from '../model/errors.ts';
import { openStore } from '../stores/open-store.ts';
import { type CallerOptions, callerOf, createAuthenticator } from './authenticate.ts';
import type { Tokens } from './ports.ts';
import { createPersonalTokens, createToken, type NewToken } from './tokens.ts';

const folder = mkdtempSync(join(tmpdir(), 'ltm-auth-'));
const clock = { at: 1_800_000_000_000, now: () => clock.at };
const events: string[] = [];
const note = (event: string) => void events.push(event);
const log: Log = { info: note, warn: note, error: note };
const store = await openStore(join(folder, 'a.db'), { clock, log });
after(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

for (const id of ['ada', 'eve'])
  await store.changeIdentity(
    [{ op: 'add_user', user: { id, name: id, email: null, createdAt: 1, suspendedAt: null } }],
    'test',
  );

async function addToken(over: Partial<NewToken> = {}): Promise<{ value: string; id: string }> {
  const { value, token } = createToken({ name: 'test', userId: 'ada', scopes: ['read'], now: clock.now(), ...over });
  assert.equal((await store.changeIdentity([{ op: 'add_token', token }], 'test')).outcome, 'changed');
  return { value, id: token.id };
}

const create = (identity: Tokens = store) =>
  createAuthenticator({ identity: store, sources: [createPersonalTokens({ identity, clock, log })], log });
let authenticate = create();
beforeEach(() => {
  authenticate = create();
  events.length = 0;
});

async function reasonFor(authorization: string | undefined, address = 'a'): Promise<string> {
  const result = await authenticate(authorization, address);
  return result.outcome === 'accepted' ? 'accepted' : result.reason;
}

it('accepts an active token in the Authorization header, in any case of "bearer"', async () => {
  const { value } = await addToken();
  assert.equal(await reasonFor(`Bearer ${value}`), 'accepted');
  assert.equal(await reasonFor(`bearer  ${value}`), 'accepted');
});

it('says why it refuses', async () => {
  const { value, id } = await addToken();
  const short = await addToken({ expiresAt: clock.now() + 1000 });
  const strange = createToken({ name: 'x', userId: 'ada', scopes: ['read'], now: 0 }).value;
  assert.equal(await reasonFor(undefined), 'missing');
  assert.equal(await reasonFor('  '), 'missing');
  assert.equal(await reasonFor(`Basic ${value}`), 'malformed');
  assert.equal(await reasonFor(`Bearer ${value} ${value}`), 'malformed');
  assert.equal(await reasonFor(`Bearer ${value}x`), 'unknown');
  assert.equal(await reasonFor(`Bearer ${'x'.repeat(2000)}`), 'malformed');
  assert.equal(await reasonFor(`Bearer ${strange}`), 'unknown');
  clock.at += 1000;
  assert.equal(await reasonFor(`Bearer ${short.value}`), 'expired');
  await store.changeIdentity([{ op: 'revoke_token', id, at: clock.now() }], 'test');
  assert.equal(await reasonFor(`Bearer ${value}`), 'revoked');
});

it('answers the thousandth wrong token from an address as it answers the first, and takes a right one in between', async () => {
  const { value } = await addToken();
  const answers = new Set<string>();
  for (let i = 0; i < 1000; i++) answers.add(await reasonFor(`Bearer wrong-${i}`, 'b'));
  assert.deepEqual([...answers], ['unknown']);
  assert.equal(await reasonFor(`Bearer ${value}`, 'b'), 'accepted');
  assert.deepEqual([events.length, new Set(events).size], [1000, 1]);
});

it('says nothing in the log when an open stream is looked at again', async () => {
  assert.equal((await authenticate('Bearer wrong', null)).outcome, 'refused');
  assert.deepEqual(events, []);
});

it('notes the use of a token at most once a minute', async () => {
  const { value, id } = await addToken();
  const touches: number[] = [];
  const check = create({
    ...store,
    touchToken: async (token, at) => {
      touches.push(at);
      await store.touchToken(token, at);
    },
  });
  await check(`Bearer ${value}`, 'a');
  await check(`Bearer ${value}`, 'a');
  assert.equal(touches.length, 1);
  clock.at += 61_000;
  await check(`Bearer ${value}`, 'a');
  assert.equal(touches.length, 2);
  assert.equal((await store.listTokens()).find((token) => token.id === id)?.lastUsedAt, clock.at);
});

it('lets reads go on when the use of a token cannot be noted', async () => {
  const { value } = await addToken();
  const full = {
    ...store,
    touchToken: () => Promise.reject(new EngineError('storage_full', 'The disk is full.')),
  };
  assert.equal((await create(full)(`Bearer ${value}`, 'a')).outcome, 'accepted');
  assert.deepEqual(events, ['token_use_not_noted']);
});

describe('the caller', () => {
  const team = { id: 'team_1', name: 'ops', ownerId: 'eve', createdAt: 1 };
  before(async () => {
    const membership = { teamId: team.id, userId: 'ada', role: 'reader', joinedAt: 1 } as const;
    const result = await store.changeIdentity(
      [
        { op: 'add_team', team },
        { op: 'put_member', membership },
      ],
      'test',
    );
    assert.equal(result.outcome, 'changed');
  });

  async function callerFor(value: string, options: Partial<CallerOptions> = {}): Promise<Caller> {
    const result = await authenticate(`Bearer ${value}`, 'a');
    assert.ok(result.outcome === 'accepted');
    return callerOf(result.proof, { door: 'rest', ...options });
  }
  const teamOf = (caller: Caller) => ({
    space: caller.space,
    spaces: caller.spaces,
    roles: Object.fromEntries(caller.roles),
  });
  const isMissing = (error: unknown) =>
    error instanceof EngineError && error.code === 'not_found' && error.message === 'team not found';

  it('has the own space, the teams and the scopes of the token, and nothing more', async () => {
    const { value, id } = await addToken();
    const caller = await callerFor(value, { client: 'curl/8', agent: 'claude', host: 'laptop' });
    assert.deepEqual(teamOf(caller), {
      space: 'ada',
      spaces: ['ada', 'team_1'],
      roles: { ada: 'owner', team_1: 'reader' },
    });
    assert.deepEqual([...caller.scopes], ['read']);
    assert.deepEqual(caller.credential, { kind: 'personal', id });
    assert.deepEqual([caller.client, caller.agent, caller.host], ['curl/8', 'claude', 'laptop']);
  });

  it('is a person with a token of every right or signed in at the command line, and never over MCP or for an agent', async () => {
    const all = { scopes: ['read', 'write', 'admin'] } as const;
    const { value } = await addToken(all);
    const isPerson = async (token: string, options: Partial<CallerOptions> = {}) =>
      (await callerFor(token, options)).isPerson;
    assert.equal(await isPerson(value), true);
    assert.equal(await isPerson(value, { door: 'mcp' }), false);
    assert.equal(await isPerson(value, { agent: 'claude' }), false);
    assert.equal(await isPerson((await addToken({ ...all, agent: 'claude' })).value), false);
    assert.equal(await isPerson((await addToken({ scopes: ['read', 'write'] })).value), false);
    const consent = { ...all, userId: 'ada', agent: null, kind: 'oauth', id: 'g', teamId: null } as const;
    const signedIn = (clientId: string) =>
      callerOf({ credential: { ...consent, clientId }, memberships: [] }, { door: 'rest' }).isPerson;
    assert.deepEqual([signedIn('ltm-cli'), signedIn('app_x')], [true, false]);
  });

  it('acts in the team that it names, if it is in it', async () => {
    const { value } = await addToken();
    for (const name of ['ops', 'team_1']) assert.deepEqual((await callerFor(value, { team: name })).spaces, ['team_1']);
    const stranger = await addToken({ userId: 'bob' });
    await assert.rejects(callerFor(stranger.value, { team: 'ops' }), isMissing);
    await assert.rejects(callerFor(value, { team: 'nowhere' }), isMissing);
  });

  it('with a token bound to a team sees that team alone, under the name of its agent', async () => {
    const { value } = await addToken({ teamId: 'team_1', agent: 'bot' });
    const caller = await callerFor(value, { agent: 'somebody-else' });
    assert.deepEqual(teamOf(caller), { space: 'team_1', spaces: ['team_1'], roles: { team_1: 'reader' } });
    assert.equal(caller.agent, 'bot');
  });

  it('is refused at once while the person is suspended', async () => {
    const { value } = await addToken({ userId: 'eve' });
    assert.equal(await reasonFor(`Bearer ${value}`), 'accepted');
    await store.changeIdentity([{ op: 'update_user', id: 'eve', suspendedAt: 5 }], 'test');
    assert.equal(await reasonFor(`Bearer ${value}`), 'suspended');
    await store.changeIdentity([{ op: 'update_user', id: 'eve', suspendedAt: null }], 'test');
    assert.equal(await reasonFor(`Bearer ${value}`), 'accepted');
  });
});

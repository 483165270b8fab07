import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, it } from 'node:test';
import type { Log } from '../engine/ports.ts';
import { EngineError } from '../model/errors.ts';
import { openStore } from '../stores/open-store.ts';
import { callerOf, createAuthenticator } from './authenticate.ts';
import type { TokenStore } from './ports.ts';
import { createToken } from './tokens.ts';

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

async function addToken(expiresAt: number | null = null): Promise<{ value: string; id: string }> {
  const { value, token } = createToken({ name: 'test', userId: 'ada', scopes: ['read'], now: clock.now(), expiresAt });
  await store.addToken(token);
  return { value, id: token.id };
}

let authenticate = createAuthenticator({ tokens: store, clock, log });
beforeEach(() => {
  authenticate = createAuthenticator({ tokens: store, clock, log });
  events.length = 0;
});

async function reasonFor(authorization: string | undefined, address = 'a'): Promise<string> {
  const result = await authenticate(authorization, address);
  return result.outcome === 'accepted' ? 'accepted' : result.limited ? 'limited' : result.reason;
}

it('accepts an active token in the Authorization header, in any case of "bearer"', async () => {
  const { value } = await addToken();
  assert.equal(await reasonFor(`Bearer ${value}`), 'accepted');
  assert.equal(await reasonFor(`bearer  ${value}`), 'accepted');
});

it('says why it refuses', async () => {
  const { value, id } = await addToken();
  const short = await addToken(clock.now() + 1000);
  const strange = createToken({ name: 'x', userId: 'ada', scopes: ['read'], now: 0 }).value;
  assert.equal(await reasonFor(undefined), 'missing');
  assert.equal(await reasonFor('  '), 'missing');
  assert.equal(await reasonFor(`Basic ${value}`), 'malformed');
  assert.equal(await reasonFor(`Bearer ${value} ${value}`), 'malformed');
  assert.equal(await reasonFor(`Bearer ${value}x`), 'malformed');
  assert.equal(await reasonFor(`Bearer ${strange}`), 'unknown');
  clock.at += 1000;
  assert.equal(await reasonFor(`Bearer ${short.value}`), 'expired');
  await store.revokeToken(id, clock.now());
  assert.equal(await reasonFor(`Bearer ${value}`), 'revoked');
});

it('slows an address down after ten wrong tokens, but never a right one', async () => {
  const { value } = await addToken();
  for (let i = 0; i < 10; i++) assert.equal(await reasonFor('Bearer wrong', 'b'), 'malformed');
  assert.equal(await reasonFor('Bearer wrong', 'b'), 'limited');
  assert.equal(await reasonFor('Bearer wrong', 'c'), 'malformed');
  assert.equal(await reasonFor(undefined, 'b'), 'missing');
  assert.equal(await reasonFor(`Bearer ${value}`, 'b'), 'accepted');
  clock.at += 60_000;
  assert.equal(await reasonFor('Bearer wrong', 'b'), 'malformed');
  assert.equal(await reasonFor('Bearer wrong', 'b'), 'limited');
});

it('notes the use of a token at most once a minute', async () => {
  const { value, id } = await addToken();
  const touches: number[] = [];
  const counting: TokenStore = {
    ...pick(store),
    touchToken: async (token, at) => {
      touches.push(at);
      await store.touchToken(token, at);
    },
  };
  const check = createAuthenticator({ tokens: counting, clock, log });
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
  const full: TokenStore = { ...pick(store), touchToken: () => Promise.reject(new EngineError('storage_full', 'The disk is full.')) };
  assert.equal((await createAuthenticator({ tokens: full, clock, log })(`Bearer ${value}`, 'a')).outcome, 'accepted');
  assert.deepEqual(events, ['token_use_not_noted']);
});

it('gives the caller the space and the scopes of the token and nothing more', async () => {
  const { value } = await addToken();
  const result = await authenticate(`Bearer ${value}`, 'a');
  assert.ok(result.outcome === 'accepted');
  const caller = callerOf(result.token, 'rest', 'curl/8');
  assert.deepEqual(
    { ...caller, scopes: [...caller.scopes] },
    { userId: 'ada', space: 'ada', spaces: ['ada'], scopes: ['read'], door: 'rest', client: 'curl/8' },
  );
});

function pick(tokens: TokenStore): TokenStore {
  return {
    findToken: (hash) => tokens.findToken(hash),
    addToken: (token) => tokens.addToken(token),
    listTokens: () => tokens.listTokens(),
    revokeToken: (id, at) => tokens.revokeToken(id, at),
    touchToken: (id, at) => tokens.touchToken(id, at),
  };
}

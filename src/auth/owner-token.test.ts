import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, it } from 'node:test';
import { expectMode } from '../../test/expect-mode.ts';
import type { Log, Store } from '../engine/ports.ts';
import { openStore } from '../stores/open-store.ts';
import { ensureOwnerToken, readOwnerToken } from './owner-token.ts';
import type { AuthStore } from './ports.ts';
import { hashToken } from './tokens.ts';

const root = mkdtempSync(join(tmpdir(), 'ltm-owner-'));
after(() => rmSync(root, { recursive: true }));
const clock = { now: () => 1_800_000_000_000 };
const events: string[] = [];
const note = (event: string) => void events.push(event);
const log: Log = { info: note, warn: note, error: note };

let folder: string;
let file: string;
let store: Store & AuthStore;
beforeEach(async () => {
  folder = mkdtempSync(join(root, 'x-'));
  file = join(folder, 'owner-token');
  store = await openStore(join(folder, 'a.db'), { clock, log });
  events.length = 0;
});
afterEach(() => store.close());

const ensure = () => ensureOwnerToken(file, { identity: store, clock, log });

it('makes the token at the first start, with all scopes, in a file of its owner alone', async () => {
  const { created } = await ensure();
  assert.equal(readFileSync(file, 'utf8'), `${created}\n`);
  expectMode(file, 0o600);
  assert.deepEqual((await store.findToken(hashToken(created!)))?.scopes, ['read', 'write', 'admin']);
  assert.ok(!readdirSync(folder).some((name) => name.startsWith('owner-token.')));
});

it('shows it once: a later start reads the file', async () => {
  const { created } = await ensure();
  assert.deepEqual(await ensure(), { created: null });
  assert.equal(readOwnerToken(file, log), created);
  assert.equal((await store.listTokens()).length, 1);
});

it('makes a further one when the file is lost; the old one works until somebody revokes it', async () => {
  const { created: old } = await ensure();
  rmSync(file);
  const { created } = await ensure();
  assert.notEqual(created, old);
  assert.equal((await store.findToken(hashToken(old!)))?.revokedAt, null);
  assert.equal((await store.findToken(hashToken(created!)))?.revokedAt, null);
  assert.ok(events.includes('earlier_owner_token_works'));
});

it('replaces a file that holds no token, or a revoked one', async () => {
  writeFileSync(file, 'not a token\n', { mode: 0o600 });
  const { created } = await ensure();
  assert.equal(readOwnerToken(file, log), created);
  await store.changeIdentity(
    [{ op: 'revoke_token', id: (await store.findToken(hashToken(created!)))!.id, at: clock.now() }],
    'test',
  );
  const next = await ensure();
  assert.notEqual(next.created, null);
  assert.equal(readOwnerToken(file, log), next.created);
});

it('takes in the token of the file when the database is a new one', async () => {
  const { created } = await ensure();
  const other = await openStore(join(folder, 'b.db'), { clock, log });
  assert.deepEqual(await ensureOwnerToken(file, { identity: other, clock, log }), { created: null });
  assert.equal((await other.findToken(hashToken(created!)))?.name, 'owner');
  await other.close();
});

it('gives one token to servers that start at the same moment', async () => {
  const results = await Promise.all([ensure(), ensure(), ensure(), ensure()]);
  assert.equal(results.filter(({ created }) => created !== null).length, 1);
  const value = readOwnerToken(file, log)!;
  assert.equal((await store.findToken(hashToken(value)))?.revokedAt, null);
});

it('closes a file that others can read, and says so', {
  skip: process.platform === 'win32' && 'Windows has no such modes',
}, async () => {
  await ensure();
  chmodSync(file, 0o644);
  await ensure();
  expectMode(file, 0o600);
  assert.ok(events.includes('owner_token_readable_by_others'));
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createToken, hashToken, hasTokenForm, isActive, isSameHash } from './tokens.ts';

const wanted = { name: 'laptop', userId: 'owner', scopes: ['read'], now: 1000 } as const;

it('makes tokens of 256 random bits with a prefix for scanners, and keeps only their hash', () => {
  const { value, token } = createToken(wanted);
  assert.match(value, /^ltm_pat_[\w-]{50}$/);
  assert.notEqual(value, createToken(wanted).value);
  assert.equal(token.sha256, hashToken(value));
  assert.doesNotMatch(JSON.stringify(token), new RegExp(value.slice(8, 30)));
});

it('knows its tokens by form and checksum', () => {
  const { value } = createToken(wanted);
  assert.ok(hasTokenForm(value));
  const other = value[20] === 'a' ? 'b' : 'a';
  assert.ok(!hasTokenForm(value.slice(0, 20) + other + value.slice(21)));
  assert.ok(!hasTokenForm(value.slice(0, -1)));
  assert.ok(!hasTokenForm(`${value}\n`));
});

it('holds a token for active until it is revoked or past its time', () => {
  const { token } = createToken({ ...wanted, expiresAt: 2000 });
  assert.ok(isActive(token, 1999));
  assert.ok(!isActive(token, 2000));
  assert.ok(!isActive({ ...token, revokedAt: 1500 }, 1600));
});

it('compares hashes', () => {
  assert.ok(isSameHash(hashToken('a'), hashToken('a')));
  assert.ok(!isSameHash(hashToken('a'), hashToken('b')));
  assert.ok(!isSameHash('', ''));
});

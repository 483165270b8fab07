import assert from 'node:assert/strict';
import { it } from 'node:test';
import { crc32 } from 'node:zlib';
import { couldBeToken, createToken, hashToken, hasTokenForm, isActive, isSameHash } from './tokens.ts';

const wanted = { name: 'laptop', userId: 'owner', scopes: ['read'], now: 1000 } as const;

it('makes tokens of 256 random bits with a prefix for scanners, and keeps only their hash', () => {
  const { value, token } = createToken(wanted);
  assert.match(value, /^ltmk[0-9A-Za-z]{44}$/);
  assert.equal(value.length, 48);
  assert.notEqual(value, createToken(wanted).value);
  assert.equal(token.sha256, hashToken(value));
  assert.doesNotMatch(JSON.stringify(token), new RegExp(value.slice(4, 30)));
});

it('knows its tokens by form and checksum', () => {
  const { value } = createToken(wanted);
  assert.ok(hasTokenForm(value));
  // one character checks the others, so about one mistake in 62 goes unnoticed here, and is found in the store
  const mistakes = [...'abcdefghijklmnopqrstuvwxyz0123456789']
    .filter((other) => other !== value[20])
    .map((other) => value.slice(0, 20) + other + value.slice(21));
  assert.ok(mistakes.filter((mistake) => !hasTokenForm(mistake)).length > 25);
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

it('still knows tokens of the earlier form', () => {
  const value = 'ltm_pat_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
  const whole = value + crc32(value).toString(36).padStart(7, '0');
  assert.ok(hasTokenForm(whole));
  assert.ok(!hasTokenForm(`${whole.slice(0, -1)}!`));
});

it('asks no store about text that cannot be a token', () => {
  assert.ok(couldBeToken(createToken(wanted).value));
  assert.ok(couldBeToken('0a'.repeat(24)), 'a token taken over from another server');
  for (const text of ['', 'wrong', 'x'.repeat(49), `ltmk${'0'.repeat(43)}!`, 'eyJhbGciOi.eyJzdWIi.x'])
    assert.ok(!couldBeToken(text), text);
});

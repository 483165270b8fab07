import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchesSigns, readPathSigns, readSigns, readStars } from './match-glob.ts';

test('stars, question marks and classes match as a shell does', () => {
  const matching = ['* ', 'a* abc', '*c abc', 'a?c abc', '[a-c]x bx', '\\* *', '[ [', '*a*b* xxaxxbxx'];
  const others = ['a*c abd', 'a?c ac', '[!a-c]x bx', '\\* a', 'a* ba'];
  for (const one of [...matching, ...others]) {
    const [glob, name] = one.split(' ') as [string, string];
    assert.equal(matchesSigns(readSigns(glob), name), matching.includes(one), one);
  }
});

test('in a path one star stops at a slash, two do not', () => {
  assert.equal(matchesSigns(readPathSigns('a/*/c'), 'a/b/c'), true);
  assert.equal(matchesSigns(readPathSigns('a/*/c'), 'a/b/b/c'), false);
  assert.equal(matchesSigns(readPathSigns('a/**/c'), 'a/b/b/c'), true);
  assert.equal(matchesSigns(readStars('mcp__*__x'), 'mcp__a/b__x'), true);
});

test('steps are counted, and are the length of the text times the number of signs at most', () => {
  const signs = readSigns(`${'*a'.repeat(100)}b`);
  const steps = { left: 1_000_000 };
  assert.equal(matchesSigns(signs, 'a'.repeat(250), steps), false);
  assert.ok(1_000_000 - steps.left <= 250 * (signs.length + 1));
  assert.equal(matchesSigns(signs, 'a'.repeat(250), { left: 1000 }), null);
});

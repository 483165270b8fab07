import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engineError, makeCaller } from '../../test/open-test-engine.ts';
import { authorize, isAllowed } from './authorize.ts';

test('lets a caller do what its scopes allow in its spaces', () => {
  authorize(makeCaller('rest', { spaces: ['owner', 'team'], scopes: new Set(['read']) }), 'read', 'team');
});

test('answers for a foreign space as for one that does not exist', () => {
  assert.throws(
    () => authorize(makeCaller(), 'read', 'somebody else'),
    engineError('not_found', /^There is no such space\.$/),
  );
});

test('names the scope that is missing', () => {
  assert.throws(
    () => authorize(makeCaller('rest', { scopes: new Set(['read']) }), 'write', 'owner'),
    engineError('forbidden', /change memories/, { scope: 'write' }),
  );
});

test('says without failing whether something is allowed', () => {
  const as = (role: 'member' | 'admin') =>
    makeCaller('rest', { spaces: ['team'], roles: new Map([['team', role]]), scopes: new Set(['write']) });
  assert.equal(isAllowed(as('admin'), 'curate', 'team'), true);
  assert.equal(isAllowed(as('member'), 'curate', 'team'), false);
  assert.equal(isAllowed(as('admin'), 'read', 'team'), false);
  assert.equal(isAllowed(as('admin'), 'curate', 'elsewhere'), false);
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readArguments } from '../../../cli/read-arguments.ts';
import { UsageError } from '../../../cli/report-error.ts';
import { readExpiry, readTokenFlags, TOKEN_FLAGS } from './token-flags.ts';

const NOW = Date.UTC(2026, 0, 15);
const read = (...argv: string[]) => readTokenFlags(readArguments(argv, { name: 'tokens' }, TOKEN_FLAGS), NOW);

it('reads how long a token holds', () => {
  assert.equal(readExpiry('12h', NOW), NOW + 12 * 3_600_000);
  assert.equal(readExpiry('30d', NOW), NOW + 30 * 86_400_000);
  assert.equal(readExpiry('2w', NOW), NOW + 14 * 86_400_000);
  assert.equal(readExpiry('2030-01-31', NOW), Date.UTC(2030, 0, 31));
  for (const text of ['0d', '-1d', '1y', 'soon', '2020-01-01', '2030-13-01', ''])
    assert.throws(() => readExpiry(text, NOW), UsageError, text);
});

it('reads scopes by name or by what they are for, not both', () => {
  assert.equal(read().scopes, undefined);
  const { scopes, team, agent } = read('--scopes', 'read,admin', '--team', 'ops', '--agent', 'bot');
  assert.deepEqual([scopes, team, agent], [['read', 'admin'], 'ops', 'bot']);
  assert.deepEqual(read('--role', 'ai').scopes, ['read', 'write']);
  assert.throws(() => read('--scopes', 'everything'), UsageError);
  assert.throws(() => read('--role', 'ai', '--scopes', 'read'), UsageError);
});

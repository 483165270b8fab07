import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '../../model/errors.ts';
import { isConnectionLost, isPassing, translateError } from './translate-error.ts';

function withCode(code: string): Error {
  return Object.assign(new Error('from the driver'), { code });
}

const CODES: [string, string][] = [
  ['40001', 'busy'],
  ['40P01', 'busy'],
  ['55P03', 'busy'],
  ['57014', 'busy'],
  ['57P01', 'busy'],
  ['08006', 'busy'],
  ['53300', 'busy'],
  ['ECONNREFUSED', 'busy'],
  ['53100', 'storage_full'],
  ['25006', 'storage_read_only'],
  ['42501', 'storage_read_only'],
  ['28P01', 'storage_unsupported'],
  ['3D000', 'storage_unsupported'],
  ['42P05', 'busy'],
  ['54000', 'too_large'],
  ['XX001', 'storage_damaged'],
  ['42601', 'internal'],
];

for (const [code, ours] of CODES) {
  test(`calls ${code} ${ours}`, () => {
    const error = translateError(withCode(code));
    equal(error.code, ours);
    if (ours !== 'internal' && ours !== 'too_large') equal(typeof error.hint, 'string');
  });
}

test('tries again what is passing, and nothing else', () => {
  for (const code of ['40001', '40P01', '57P01', '08003', '26000', '42P05', 'ECONNRESET'])
    equal(isPassing(withCode(code)), true, code);
  for (const code of ['23505', '42501', '55P03', '57014', '28P01']) equal(isPassing(withCode(code)), false, code);
  equal(isConnectionLost(new Error('Connection terminated unexpectedly')), true);
  equal(isConnectionLost(new AggregateError([withCode('ECONNREFUSED')])), true);
  equal(isPassing(new EngineError('conflict', 'ours')), false);
});

test('tells what PgBouncer refuses for good, under the one code it has, from what passes', () => {
  const said = (message: string) => Object.assign(new Error(message), { code: '08P01' });
  for (const message of ['SASL authentication failed', 'database "nodb" does not exist']) {
    equal(isPassing(said(message)), false, message);
    equal(translateError(said(message)).code, 'storage_unsupported', message);
  }
  equal(isPassing(said('query_wait_timeout')), true);
});

test('leaves our own errors as they are', () => {
  const ours = new EngineError('conflict', 'ours');
  equal(translateError(ours), ours);
});

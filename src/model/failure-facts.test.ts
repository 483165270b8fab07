import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERROR_STATUS } from '../rest/error-response.ts';
import { EngineError, ERROR_CODES } from './errors.ts';
import { FAULTS, failureFacts } from './failure-facts.ts';

test('a fault is what HTTP answers with 5xx', () => {
  const faults = ERROR_CODES.filter((code) => ERROR_STATUS[code][0] >= 500);
  assert.deepEqual([...FAULTS].sort(), [...faults].sort());
});

test('says kind and place of what nobody foresaw, and never its words, also where these look like frames', () => {
  const facts = failureFacts(new TypeError('the secret text\n    at the secret place'));
  assert.deepEqual([facts.code, facts.error], ['internal', 'TypeError']);
  assert.match(String(facts.at), /failure-facts\.test/);
  assert.doesNotMatch(JSON.stringify(facts), /secret/);
});

test('says of an error with a cause what it came from and where it was passed on', () => {
  const cause = Object.assign(new RangeError('the secret text'), { code: '42703' });
  const error = new EngineError('internal', 'The database refused a statement.', {
    details: { postgres: '42703', retry_after: null },
    cause,
  });
  const { at, passed_on_at, ...facts } = failureFacts(error);
  assert.deepEqual(facts, {
    code: 'internal',
    message: 'The database refused a statement.',
    postgres: '42703',
    error: 'RangeError',
  });
  for (const place of [at, passed_on_at]) assert.match(String(place), /failure-facts\.test/);
});

test('says of a thing that is no error what type it has', () => {
  assert.deepEqual(failureFacts('the secret text'), { code: 'internal', error: 'string', at: '' });
});

import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { EngineError } from '../model/errors.ts';
import { addressKey } from '../model/networks.ts';
import { createLoginLimit, createRequestLimit, createTokenBuckets, type LoginLimit } from './token-buckets.ts';

const clock = { at: 0, now: () => clock.at };
beforeEach(() => {
  clock.at = 1_800_000_000_000;
});
const isLimited = (error: unknown) => error instanceof EngineError && error.code === 'rate_limited';

function countAllowed(tries: number, attempt: () => void): number {
  let allowed = 0;
  for (let i = 0; i < tries; i++) {
    try {
      attempt();
      allowed++;
    } catch (error) {
      assert.ok(isLimited(error));
    }
  }
  return allowed;
}

describe('the operator’s password', () => {
  it('may be wrong three times, then once in five minutes, and strangers do not use up the tries of where it is known', () => {
    const limit = createLoginLimit(clock);
    const tryAt = (address: string) => () => void limit.begin(address, 'owner', true);
    limit.begin('10.0.0.1', 'owner', true).succeeded();
    assert.equal(countAllowed(20, tryAt('10.0.0.2')), 3);
    clock.at += 299_000;
    assert.equal(countAllowed(20, tryAt('10.0.0.3')), 0);
    clock.at += 1000;
    assert.equal(countAllowed(20, tryAt('10.0.0.3')), 1);
    assert.equal(countAllowed(20, tryAt('10.0.0.1')), 3);
  });
});

describe('token buckets', () => {
  it('let a burst through, then one at a time, and say how long to wait', () => {
    const buckets = createTokenBuckets(clock, { burst: 3, refillMs: 1000 });
    assert.deepEqual(
      [1, 2, 3, 4].map(() => buckets.take('a')),
      [0, 0, 0, 1000],
    );
    clock.at += 400;
    assert.equal(buckets.take('a'), 600);
    clock.at += 600;
    assert.equal(buckets.take('a'), 0);
    assert.equal(buckets.take('b'), 0);
  });

  it('take back what was not used, never beyond the burst', () => {
    const buckets = createTokenBuckets(clock, { burst: 1, refillMs: 1000 });
    buckets.take('a');
    buckets.giveBack('a');
    buckets.giveBack('a');
    assert.deepEqual([buckets.take('a'), buckets.take('a')], [0, 1000]);
  });

  it('remember a bounded number of keys', () => {
    const buckets = createTokenBuckets(clock, { burst: 1, refillMs: 1000 });
    for (let i = 0; i <= 10_000; i++) buckets.take(`key ${i}`);
    assert.equal(buckets.wait('key 0'), 0, 'the oldest is forgotten');
    assert.ok(buckets.wait('key 10000') > 0, 'the newest is not');
  });

  it('survive a clock that goes back', () => {
    const buckets = createTokenBuckets(clock, { burst: 1, refillMs: 1000 });
    buckets.take('a');
    clock.at -= 3_600_000;
    assert.equal(buckets.take('a'), 1000);
  });
});

it('counts all IPv6 addresses of one network as one, and IPv4 by address', () => {
  assert.equal(addressKey('2001:db8:0:1::5'), addressKey('2001:0db8:0000:0001:ffff::9'));
  assert.notEqual(addressKey('2001:db8:0:1::5'), addressKey('2001:db8:0:2::5'));
  assert.equal(addressKey('::ffff:10.0.0.7'), '10.0.0.7');
  assert.notEqual(addressKey('10.0.0.7'), addressKey('10.0.0.8'));
  assert.equal(addressKey('fe80::1%eth0'), addressKey('fe80::2'));
});

describe('the limit of requests', () => {
  const settings = { writesPerMinute: 60, writeBurst: 100, readsPerMinute: 30 };

  it('allows a burst of writes and then so many a minute, for each person', () => {
    const limit = createRequestLimit(clock, settings);
    assert.equal(
      countAllowed(150, () => limit.count('ada', 'write')),
      100,
    );
    clock.at += 30_000;
    assert.equal(
      countAllowed(150, () => limit.count('ada', 'write')),
      30,
    );
    assert.equal(
      countAllowed(30, () => limit.count('ada', 'read')),
      30,
    );
    assert.equal(
      countAllowed(1, () => limit.count('eve', 'write')),
      1,
    );
  });

  it('says when to try again', () => {
    const limit = createRequestLimit(clock, { ...settings, readsPerMinute: 1 });
    limit.count('ada', 'read');
    assert.throws(
      () => limit.count('ada', 'read'),
      (error) => isLimited(error) && (error as EngineError).details.retry_after === 60,
    );
  });

  it('is off where the setting is 0', () => {
    const limit = createRequestLimit(clock, { writesPerMinute: 0, writeBurst: 1, readsPerMinute: 0 });
    assert.equal(
      countAllowed(10_000, () => limit.count('ada', 'write')),
      10_000,
    );
    assert.equal(
      countAllowed(10_000, () => limit.count('ada', 'read')),
      10_000,
    );
  });
});

describe('the limit of logins', () => {
  let limit: LoginLimit;
  beforeEach(() => {
    limit = createLoginLimit(clock);
  });
  const fail = (address: string, account: string) => () => void limit.begin(address, account);

  it('allows ten failures of one address at once, then one a minute, whatever the account', () => {
    let account = 0;
    const attempt = () => void limit.begin('10.0.0.1', `user ${account++}`);
    assert.equal(countAllowed(50, attempt), 10);
    clock.at += 60_000;
    assert.equal(countAllowed(50, attempt), 1);
  });

  it('allows at most twenty failures of one account in an hour, from however many addresses', () => {
    let allowed = 0;
    for (let minute = 0; minute < 60; minute++) {
      allowed += countAllowed(20, fail(`10.0.${minute}.1`, 'ada'));
      clock.at += 60_000;
    }
    assert.ok(allowed <= 20, String(allowed));
    assert.ok(allowed >= 10, String(allowed));
  });

  it('never shuts a person out of an address where they have signed in, whatever strangers do', () => {
    limit.begin('10.0.0.9', 'ada').succeeded();
    for (let i = 0; i < 100; i++) countAllowed(20, fail(`10.1.${i}.1`, 'ada'));
    countAllowed(100, fail('10.0.0.9', 'eve'));
    assert.throws(() => limit.begin('10.2.0.1', 'ada'), isLimited);
    limit.begin('10.0.0.9', 'ada').succeeded();
  });

  it('slows guessing down at a known address too', () => {
    limit.begin('10.0.0.9', 'ada').succeeded();
    assert.equal(countAllowed(50, fail('10.0.0.9', 'ada')), 10);
  });

  it('does not count successes', () => {
    assert.equal(
      countAllowed(100, () => limit.begin('10.0.0.1', 'ada').succeeded()),
      100,
    );
  });
});

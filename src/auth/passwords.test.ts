import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EngineError } from '../model/errors.ts';
import { createPasswordHasher } from './password-hash.ts';
import { checkPasswordRules } from './password-rules.ts';

const ada = { name: 'Ada Lovelace', email: 'ada@example.org' };

describe('password rules', () => {
  const refused = (password: string) =>
    assert.throws(
      () => checkPasswordRules(password, ada),
      (error) => error instanceof EngineError && error.code === 'invalid_input',
      password,
    );

  it('refuse what is too short, too long, common or the own name', () => {
    for (const password of [
      'short',
      'ninechars',
      'x'.repeat(1025),
      'Password123',
      '1234567890',
      '0987654321',
      'aaaaaaaaaaaa',
      'qwertyuiop',
      'ada lovelace1',
      'ada@example.org',
    ])
      refused(password);
  });

  it('allow everything else, blanks and emoji included', () => {
    for (const password of [
      'correct horse battery',
      'ünïcödé wörds',
      '🦊🐙🐢🐌🦉🐝🐞🦋🐳🐬',
      'x7!kd92.Qm',
      'ab12 '.repeat(200),
    ])
      checkPasswordRules(password, ada);
  });

  it('never repeat the password', () => {
    assert.throws(
      () => checkPasswordRules('password12', ada),
      (error) => !String((error as Error).message).includes('password12'),
    );
  });
});

describe('password hashes', () => {
  /** The cost of real ones would make these tests slow; the first one shows it. */
  const hasher = createPasswordHasher({ N: 2 ** 12, r: 8, p: 1 });

  it('are salted scrypt with its cost in the text, and fit the password alone', async () => {
    const one = await createPasswordHasher().hash('correct horse battery');
    const two = await hasher.hash('correct horse battery');
    assert.match(one, /^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
    assert.match(two, /^scrypt\$4096\$8\$1\$/);
    assert.equal(await hasher.verify('correct horse battery', two), true);
    assert.equal(await hasher.verify('correct horse battery', one), true);
    assert.equal(await hasher.verify('Correct horse battery', one), false);
    assert.equal(await hasher.verify('anything', 'not a hash'), false);
  });

  it('do not care how a keyboard composes letters', async () => {
    assert.equal(
      await hasher.verify('caf\u00e9 caf\u00e9 caf\u00e9', await hasher.hash('cafe\u0301 cafe\u0301 cafe\u0301')),
      true,
    );
  });

  it('take as long for nobody as for somebody', async () => {
    const stored = await hasher.hash('correct horse battery');
    // Of the processor, all threads of it: what else the machine does is not counted. In sums, since it is counted in steps that may be longer than a hash.
    const spent = [0, 0] as [number, number];
    const ratio = (): number => Math.max(...spent) / Math.min(...spent);
    for (let i = 0; i < 24 || (i < 120 && ratio() >= 2); i++) {
      const before = process.cpuUsage();
      assert.equal(await hasher.verify('wrong', i % 2 === 0 ? stored : null), false);
      spent[(i % 2) as 0 | 1] += process.cpuUsage(before).user;
    }
    assert.ok(ratio() < 2, `${spent} µs`);
  });

  it('are made in turn, and a crowd is told to come back', async () => {
    const crowd = await Promise.allSettled(Array.from({ length: 80 }, () => hasher.verify('wrong', null)));
    assert.equal(crowd.filter(({ status }) => status === 'rejected').length, 80 - 64 - 2);
    assert.equal(await hasher.verify('wrong', null), false);
  });
});

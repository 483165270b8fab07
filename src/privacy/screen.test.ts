import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCustomPatterns } from './custom-patterns.ts';
import { isHighRisk } from './high-risk.ts';
import { MAX_INPUT, MAX_OUTPUT, QUARANTINED, screenInput, screenText } from './screen.ts';

const TOKEN = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;

test('a secret across the cut does not survive, wherever it stands', () => {
  for (let before = MAX_OUTPUT - 60; before <= MAX_OUTPUT + 5; before += 3) {
    const { value } = screenText(`${'x '.repeat(before / 2)}${TOKEN}${' y'.repeat(9000)}`);
    assert.ok(!value.includes(TOKEN.slice(0, 12)), `at ${before}`);
    assert.match(value, /\.\.\.\[truncated \d+ chars\]$/);
  }
});

test('half a secret at the end of what is looked at is not kept, even where markers have made the text shorter', () => {
  for (let before = 12_200; before <= 12_300; before += 3) {
    const long = `${'-----BEGIN RSA PRIVATE KEY-----'}\n${'A'.repeat(64).concat('\n').repeat(150)}-----END RSA PRIVATE KEY-----\n`;
    const text = `${long}${'z'.repeat(Math.max(0, before - long.length))} ${TOKEN.repeat(60)}${' y'.repeat(9000)}`;
    assert.ok(!screenText(text).value.includes('ghp_'), `at ${before}`);
  }
});

test('nothing of a private key is kept whose beginning nobody looked at, whether or not it ends', () => {
  const line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj';
  for (const lines of [20, 60, 120, 300])
    for (const end of ['', '-----END PRIVATE KEY-----\ndone\n']) {
      const text = `${'word '.repeat(5000)}\n-----BEGIN PRIVATE KEY-----\n${`${line}\n`.repeat(lines)}${end}`;
      assert.ok(!screenText(text).value.includes(line.slice(0, 24)), `${lines} lines`);
    }
});

test('long texts are cut to their limits after screening, and say how much is missing', () => {
  const { value } = screenText('word '.repeat(20_000));
  const [kept, missing] = value.split('...[truncated ');
  assert.equal(kept!.length, MAX_OUTPUT);
  const gap = '\n[…]\n';
  assert.equal(Number.parseInt(missing!, 10), 100_000 - MAX_OUTPUT + gap.length);
  assert.equal(screenText('x'.repeat(MAX_OUTPUT)).value.length, MAX_OUTPUT);
});

test('of a long text both ends are kept, and no secret across either cut survives', () => {
  const output = `${'building … '.repeat(3000)}ℹ tests 45\nℹ fail 1\n✖ refuses an expired token`;
  const { value } = screenText(output);
  assert.match(value, /^building/);
  assert.match(value, /✖ refuses an expired token\.\.\.\[truncated \d+ chars\]$/);
  for (let after = 3072 - 60; after <= 3072 + 5; after += 3) {
    const text = `${'x '.repeat(9000)}${TOKEN}${' y'.repeat(after / 2)}`;
    assert.doesNotMatch(screenText(text).value, /a1B2c3|D4e5a1/, `at ${after}`);
  }
  const key = `-----BEGIN RSA PRIVATE KEY-----\n${`${'Qk9vZ2'.repeat(10)}\n`.repeat(160)}-----END RSA PRIVATE KEY-----\ndone`;
  assert.doesNotMatch(screenText(`${'x '.repeat(9000)}${key}`).value, /Qk9vZ2/);
  assert.match(screenText(`${'x '.repeat(9000)}${key}`).value, /done\.\.\./);
});

test('text without blanks is kept, too', () => {
  assert.ok(screenText('记忆'.repeat(10_000)).value.length >= MAX_OUTPUT);
});

test('input stays an object within its limit, with secrets replaced by their names', () => {
  const { value, names } = screenInput({
    command: 'export API_KEY=k3J9sLq2Xw8Zr5Tn',
    env: { password: 'swordfish99', Authorization: `Bearer ${TOKEN}` },
    content: 'line of a file\n'.repeat(5000),
    last: 'kept <private>not</private>',
  });
  const json = JSON.stringify(value);
  assert.ok(json.length <= MAX_INPUT);
  for (const secret of ['k3J9sLq2', 'swordfish99', TOKEN, 'not<']) assert.ok(!json.includes(secret), secret);
  assert.match(String(value.content), /^line of a file[\s\S]*truncated \d+ chars\]$/);
  assert.equal(value.last, 'kept ');
  assert.ok(names.includes('private') && names.includes('password'));
});

test('JSON in a result stays JSON when its secrets are replaced', () => {
  const texts = [
    '{"command":"export API_KEY=k3J9sLq2Xw8Zr5Tn"}',
    '{"password":"swordfish99","n":1}',
    `{"a":["${TOKEN}"]}`,
  ];
  for (const text of texts) {
    const { value } = screenText(text, { isResult: true });
    assert.doesNotThrow(() => JSON.parse(value), value);
    assert.notEqual(value, text);
  }
});

test('what no screening may let pass is left out as a whole', () => {
  const head = '-----BEGIN OPENSSH PRIVATE KEY-----';
  assert.ok(isHighRisk(`${head}\n${'aB3 dE6 gH9 kL2 '.repeat(8)}`));
  assert.ok(
    !isHighRisk(`${head}, then the lines of the key and -----END OPENSSH PRIVATE KEY-----, as the manual says it.`),
  );
  assert.ok(isHighRisk('AKIA\u200bIOSFODNN7EXAMPLE'));
  assert.ok(isHighRisk('postgres://app:t0psecret@db/app'));
  assert.ok(!isHighRisk('postgres://app:[redacted:database-url]@db/app, postgres://user:password@host, sk-ant-short'));
  // No web token, as its header says nothing; but nobody can tell what it is.
  const odd = `eyJ${'hG7k'.repeat(6)}.eyJ${'pQ2x'.repeat(6)}.${'Zr5T'.repeat(6)}`;
  assert.deepEqual(screenText(`before ${odd} after`), { value: QUARANTINED, names: ['quarantined'] });
  assert.deepEqual(screenInput({ a: odd, b: 'kept' }), {
    value: { a: QUARANTINED, b: 'kept' },
    names: ['quarantined'],
  });
});

test('patterns of the person apply to texts and input, and one that never ends leaves the text out', () => {
  const { patterns } = readCustomPatterns([{ pattern: 'ACME-\\d{4}', name: 'ticket' }]);
  assert.equal(screenText('see ACME-1234', { patterns }).value, 'see [redacted:ticket]');
  assert.deepEqual(screenInput({ q: 'ACME-1234' }, patterns).value, { q: '[redacted:ticket]' });
  const slow = readCustomPatterns(['(a+)+$']).patterns;
  assert.match(screenText(`${'a'.repeat(60)}!`, { patterns: slow }).value, /^\[LEFT OUT/);
});

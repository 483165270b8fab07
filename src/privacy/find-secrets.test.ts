import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findSecrets, SECRET_RULES } from './find-secrets.ts';

const found = (text: string): string[] =>
  findSecrets(text).map(({ kind, start, end }) => `${kind}=${text.slice(start, end)}`);
const GITHUB = ['gh', 'p_', 'a1B2'.repeat(9)].join('');
const AWS = ['AK', 'IA', 'ABCDEFGHIJKLMNOP'].join('');

describe('findSecrets', () => {
  test('knows more than a hundred kinds', () => {
    assert.ok(new Set(SECRET_RULES.map(({ kind }) => kind)).size >= 150);
  });

  test('marks the password of a URL and leaves the rest', () => {
    assert.deepEqual(found('postgres://app:hunter2@db:5432/app'), ['database-url=hunter2']);
    assert.deepEqual(found('https://robin:pa55word@git.test/x'), ['url-password=pa55word']);
    assert.deepEqual(found('https://git.test:8443/a@b and postgres://app@db and redis://:$PASSWORD@db'), []);
  });

  test('marks the value that a telling name is given, however it is written', () => {
    const forms = [
      'password=V',
      'PASSWORD="V"',
      "db_password: 'V'",
      '{"password":"V"}',
      '{\\"password\\":\\"V\\"}',
      '<password>V</password>',
      '--password V',
      'adminPassword := V',
      '?password=V&x=1',
    ];
    for (const form of forms) assert.deepEqual(found(form.replace('V', 'Tr0ub4dor')), ['password=Tr0ub4dor'], form);
    assert.deepEqual(found(['Authorization: Basic ', 'cm9iaW46', 'aHVudGVyMg=='].join('')), [
      'auth-header=cm9iaW46aHVudGVyMg==',
    ]);
  });

  test('passes over placeholders, names, types and calls', () => {
    const values = [
      '<password>',
      ['$', '{PASSWORD}'].join(''),
      '$PASSWORD',
      'xxxxxxxx',
      '********',
      'your-password-1',
      'changeme1',
      'string',
      'user.password',
      'getPassword(user1)',
      'process.env.DB_PASS1',
      'null',
    ];
    for (const value of values) assert.deepEqual(found(`password = ${value}`), [], value);
    for (const text of [
      'password_length: 123456',
      'tokens: 1234567890abcdef1',
      'Passed: a1b2c3d4e5f6g7h8',
      'max_tokens=200000',
      'socks5://<user>:<password>@proxy-host1',
      'authorization = base64.decode(x)',
    ])
      assert.deepEqual(found(text), [], text);
  });

  test('gives a token its own name where a name is given to it too', () => {
    assert.deepEqual(found(`token = "${GITHUB}"`), [`gh-token=${GITHUB}`]);
    assert.deepEqual(found(`password=prefix1-${GITHUB}`), [`gh-token=prefix1-${GITHUB}`]);
  });

  test('sees a token behind the letter of an escape', () => {
    for (const text of [`{"a":"one\\n${AWS}"}`, `a=%3D${AWS}`, `one\t${AWS}`])
      assert.deepEqual(found(text), [`aws-key=${AWS}`], text);
    assert.deepEqual(found(`X${AWS}`), []);
  });

  test('takes a private key with all its lines, as text and as a JSON string', () => {
    const lines = [
      '-----BEGIN ENCRYPTED PRIVATE',
      ' KEY-----\n',
      `${'Ab1+'.repeat(16)}\n`.repeat(3),
      'Ab==\n',
      '-----END ENCRYPTED PRIVATE',
      ' KEY-----',
    ].join('');
    assert.deepEqual(found(`before ${lines} after`), [`private-key=${lines}`]);
    const json = JSON.stringify({ key: lines });
    assert.deepEqual(found(json), [`private-key=${json.slice('{"key":"'.length, -'"}'.length)}`]);
  });

  test('guesses are flags, paths and public names are blocks', () => {
    const modes = (text: string): string[] => findSecrets(text).map(({ kind, mode }) => `${kind}:${mode}`);
    assert.deepEqual(modes('license_key: 9fK2-vQ81-xxa7-LL03'), ['generic-api-key:flag']);
    assert.deepEqual(modes('/home/robin/x'), ['abs-path:block']);
    assert.deepEqual(modes(['arn:aws', ':s3:::bucket/x'].join('')), ['arn:block']);
  });

  test('takes a time that grows with the length alone, for whatever text', () => {
    const tails = ['', 'a', '=', ':', 'A1', '/', '-', ' ', ' is ', '\n', '="', '\\n', '%41', '\u200b'];
    const timeOf = (unit: string, length: number): number => {
      const text = unit.repeat(Math.ceil(length / unit.length));
      const start = process.cpuUsage();
      findSecrets(text);
      return process.cpuUsage(start).user;
    };
    for (const [i, literal] of SECRET_RULES.flatMap(({ literals }) => literals).entries()) {
      for (const unit of [literal + tails[i % tails.length]!, literal + tails[(i * 5 + 3) % tails.length]!]) {
        const short = timeOf(unit, 4000);
        // Eight times the length: what is linear takes eight times as long, what is not, sixty-four times. The constant is for the clock.
        const long = timeOf(unit, 32_000);
        assert.ok(long < 24 * short + 40_000, `${JSON.stringify(unit)}: ${short} µs, then ${long} µs`);
      }
    }
  });
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { replaceSecrets } from './replace-secrets.ts';

const PARTS = [
  ['AK', 'IA', 'ABCDEFGHIJKLMNOP'].join(''),
  ['gh', 'p_', 'a1B2'.repeat(9)].join(''),
  ['ey', 'JhbGciOiJIUzI1NiJ9.ey', 'JzdWIiOiIxIn0.abc-_123'].join(''),
  ['-----BEGIN ', 'PRIVATE KEY-----\n', 'Ab1+'.repeat(16), '\n'].join(''),
  'password=',
  'the password is ',
  'Passwort lautet: ',
  'パスワードは',
  'pw ',
  'login admin / ',
  'mysql -p',
  'backup code ',
  'PIN: ',
  '\u200b',
  '\\n',
  '%5F',
  ['Z2hwX2', 'ExQjJh'].join(''),
  'hunter2',
  'password":"',
  '"password": ',
  'api_key = ',
  'token:',
  '--secret ',
  'Authorization: Bearer ',
  'postgres://a:',
  'https://u:',
  '@host/',
  'Tr0ub4dor&3',
  'a1b2c3d4e5f6g7h8i9j0',
  '12345678',
  '[redacted:jwt]',
  'twitter_key',
  'discord',
  '"authorization": ',
  '`',
  '"',
  "'",
  '\\',
  ',',
  ' ',
  '\n',
  '-',
  '_',
  '.',
  '=',
  ':',
  '{',
  '}',
  '/',
  'eyJ',
  'é',
  '😀',
  'x',
];
const text = fc
  .array(fc.oneof(fc.constantFrom(...PARTS), fc.string({ maxLength: 8 })), { maxLength: 12 })
  .map((parts) => parts.join(''));

describe('replaceSecrets', () => {
  test('changes nothing more of a token that was the user of a URL', () => {
    const token = ['gh', 'p_', 'a1B2'.repeat(9)].join('');
    const { text } = replaceSecrets(`https://${token}@github.com/x and https://${token}:x@github.com/y`);
    assert.equal(replaceSecrets(text).text, text);
  });

  test('writes a marker in the place of a secret and leaves paths and guesses alone', () => {
    assert.equal(
      replaceSecrets(`key ${PARTS[0]} in /home/robin/x, license_key: 9fK2-vQ81-xxa7-LL03`).text,
      'key [redacted:aws-key] in /home/robin/x, license_key: 9fK2-vQ81-xxa7-LL03',
    );
  });

  test('changes nothing the second time, and nothing outside the findings', () => {
    fc.assert(
      fc.property(text, (input) => {
        const { text: once, findings } = replaceSecrets(input);
        assert.equal(replaceSecrets(once).text, once);
        let rest = once;
        let from = 0;
        for (const { start, end, kind } of findings.filter(({ mode }) => mode === 'redact')) {
          const piece = `${input.slice(from, start)}[redacted:${kind}]`;
          assert.ok(rest.startsWith(piece));
          rest = rest.slice(piece.length);
          from = end;
        }
        assert.equal(rest, input.slice(from));
      }),
      { numRuns: 3000 },
    );
  });

  test('reads secrets that are written together in a time that grows with their number alone', () => {
    const timeOf = (count: number): number => {
      const start = process.cpuUsage();
      const { findings } = replaceSecrets(`${PARTS[0]}${PARTS[2]} `.repeat(count));
      assert.equal(findings.length, 2 * count);
      return process.cpuUsage(start).user;
    };
    timeOf(1000);
    assert.ok(timeOf(15_000) < 30 * timeOf(1500) + 100_000);
  });

  test('leaves JSON text JSON', () => {
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 3 },
        text,
        fc.integer(),
        fc.double({ noNaN: true }),
        fc.constant(null),
        fc.array(tie('any'), { maxLength: 4 }),
        fc.dictionary(text, tie('any'), { maxKeys: 4 }),
      ),
    })).any;
    fc.assert(
      fc.property(value, fc.constantFrom(0, 2), (node, indent) => {
        JSON.parse(replaceSecrets(JSON.stringify(node, null, indent)).text);
      }),
      { numRuns: 2000 },
    );
    assert.equal(
      replaceSecrets('{"command":"export PASSWORD=Tr0ub4dor"}').text,
      '{"command":"export PASSWORD=[redacted:password]"}',
    );
    for (const json of ['{"password=`":"a1b2c3`"}', '{"authorization":1234567890e5}', '{"password":12345678}'])
      assert.equal(replaceSecrets(json).text, json);
    assert.equal(replaceSecrets('["password=",12345678,"x"]').text, '["password=",12345678,"x"]');
  });
});

test('a short text that comes again is judged as it was the first time', () => {
  const secret = `token ${PARTS[1]}`;
  const harmless = Array.from({ length: 1200 }, (_, i) => `label ${i}`);
  for (const text of [...harmless, secret, ...harmless, secret])
    assert.deepEqual(
      [replaceSecrets(text).text, replaceSecrets(text).findings.length],
      text === secret ? ['token [redacted:gh-token]', 1] : [text, 0],
    );
});

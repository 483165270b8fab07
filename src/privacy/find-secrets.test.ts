import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findSecrets, listRules, measureGroups } from './find-secrets.ts';
import { GROUP_SIZES, RULE_INDEX } from './precomputed-rules.ts';
import { writeIndex } from './rule-index.ts';

const found = (text: string): string[] =>
  findSecrets(text).map(({ kind, start, end }) => `${kind}=${text.slice(start, end)}`);
const GITHUB = ['gh', 'p_', 'a1B2'.repeat(9)].join('');
const AWS = ['AK', 'IA', 'ABCDEFGHIJKLMNOP'].join('');

test('the precomputed index is that of the rules: else run node scripts/precompute-rules.ts', () => {
  assert.equal(RULE_INDEX, writeIndex(listRules()));
  assert.deepEqual(GROUP_SIZES, measureGroups());
});

describe('findSecrets', () => {
  test('knows more than a hundred kinds', () => {
    assert.ok(new Set(listRules().map(({ kind }) => kind)).size >= 150);
  });

  test('marks the password of a URL and leaves the rest', () => {
    assert.deepEqual(found('postgres://app:hunter2@db:5432/app'), ['database-url=hunter2']);
    assert.deepEqual(found('https://robin:pa55word@git.test/x'), ['url-password=pa55word']);
    assert.deepEqual(found('https://git.test:8443/a@b and postgres://app@db and redis://:$PASSWORD@db'), []);
  });

  test('marks the values in a list or an object whose name says that they are secrets', () => {
    const [password, key] = ['aB3$kk9!zQ', 'x7Kp9QmZ2vLw8RtYaB3dE5fG'];
    const lists = JSON.stringify({ passwords: [password, 'x'], secrets: { db: key, mail: { value: key }, hint: 'x' } });
    const kinds = [`password=${password}`, `secret-assignment=${key}`, `secret-assignment=${key}`];
    assert.deepEqual(found(lists), kinds);
    assert.deepEqual(found(JSON.stringify({ stdout: JSON.stringify({ stdout: lists }) })), kinds);
    assert.deepEqual(found(`db_passwords = ['${password}', "${password}"]`), [kinds[0], kinds[0]]);
    for (const plain of [
      'tokens: ["Hello", "item12"]',
      '"passwords": {"reset": "Your password has been reset!", "sent": "We have mailed it"}',
      '"secrets": {"db": {"file": "./db_password.txt"}}',
      'passwords: [process.env.A, read("b")]',
    ])
      assert.deepEqual(found(plain), []);
  });

  test('marks UUIDs, phrases and values with any signs inside sentences and list items', () => {
    const uuid = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
    const phrase = 'copper lantern saddle orbit pickle';
    const strange = 'xK#9v,"T}q2;Lm';
    for (const [text, secret] of [
      ['We use API_KEY=V here', uuid],
      ['We use PINECONE_API_KEY=V, as before', uuid],
      ['The gateway wants x-api-key: V on each call.', uuid],
      ['- **api_key**: V for staging', uuid],
      ['- `api_key`: V', uuid],
      ['The API key is V since March', uuid],
      ['Wir nutzen den API-Schlüssel: V', uuid],
      ['- passphrase: V (it never changes)', phrase],
      ['We decided to keep passphrase: V because nobody minds.', phrase],
      ["The vault's passphrase is V.", phrase],
      ['We keep password: &main V there', strange],
      ["We keep password: &main 'V' there", strange],
      ['- the file says user = app password = V host = db1', strange],
      ['We decided to set requirepass "V" there', 'aB3$kk9!zQ'],
    ] as const) {
      const marked = findSecrets(text.replace('V', () => secret)).map(({ start, end }) => [start, end]);
      assert.deepEqual(marked, [[text.indexOf('V'), text.indexOf('V') + secret.length]], text);
    }
    for (const plain of [
      `the page_token: ${uuid} and the request token: ${uuid} of user ${uuid}`,
      `API key ID: ${uuid}`,
      'Bad passphrase: could not decrypt the keyring',
      'Enter passphrase: press enter twice when asked',
      '# passwd.expire.cron: sample expiry notification script for cron',
      'The requirepass directive and the rootpw setting',
      'def func(parser, token: SomeType): token = Token(TokenType.BLOCK, "text")',
      'export declare const tokenStore: Map<any, any>;',
    ])
      assert.deepEqual(found(plain), [], plain);
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

  test('leaves the number of a door to whoever wants to be told it again, however it is punctuated, and takes a PIN or a made-up code', () => {
    for (const text of [
      'The door code is 4711!',
      'The door code is 4711.',
      'Gate code: 90210?',
      'The alarm code is 8812',
    ])
      assert.deepEqual(findSecrets(text), [], text);
    for (const text of ['My PIN is 4711!', 'The door code is kite-99!', 'The access code is A7-44-Z'])
      assert.equal(findSecrets(text).length, 1, text);
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

  test('reads a token through whatever cuts it, and leaves the next line alone', () => {
    const cuts = ['\u200b', '\u00ad', '\ufeff', '\n', '\r\n', '\\\n', '\n    ', '=\n', '\\n', '&shy;', '\\u200b'];
    for (const cut of cuts) {
      for (const at of [3, 20, 37]) {
        const written = GITHUB.slice(0, at) + cut + GITHUB.slice(at);
        assert.deepEqual(found(`use ${written} here`), [`gh-token=${written}`], JSON.stringify([cut, at]));
      }
    }
    const spread = [...GITHUB].join('\u200d');
    assert.deepEqual(found(spread), [`gh-token=${spread}`]);
    assert.deepEqual(found(`${GITHUB}\nThen restart.`), [`gh-token=${GITHUB}`]);
    const cutShort = `${GITHUB.slice(0, 20)}\n${GITHUB.slice(20)}`;
    assert.deepEqual(found(`${cutShort}\nThen\nrestart.`), [`gh-token=${cutShort}`]);
  });

  test('reads escapes of URLs and JSON, and names in front', () => {
    const escaped = GITHUB.replace('_', '%5F');
    assert.deepEqual(found(`?x=${escaped}&y`), [`gh-token=${escaped}`]);
    assert.deepEqual(found(`MY_${AWS}`), [`aws-key=${AWS}`]);
    assert.deepEqual(found(`${AWS}_old`), [`aws-key=${AWS}`]);
    const stripe = ['sk', '_live_', 'a1B2c3D4e5F6g7H8i9J0k1L2'].join('');
    for (const prefix of ['STRIPE_', 'my']) assert.deepEqual(found(prefix + stripe), [`stripe-key=${stripe}`]);
    assert.deepEqual(found('risk_live_configurationOfEverything'), []);
    assert.deepEqual(found('"https:\\/\\/robin:pa55word@git.test"'), ['url-password=pa55word']);
  });

  test('reads Base64, twice wrapped and in lines, and takes all of it', () => {
    const once = Buffer.from(`TOKEN=${GITHUB}\n`).toString('base64');
    const lines = Buffer.from(`a: 1\n${'b: 2\n'.repeat(20)}TOKEN=${GITHUB}\n`)
      .toString('base64')
      .replace(/.{76}/g, '$&\n');
    for (const run of [once, Buffer.from(once).toString('base64'), lines])
      assert.deepEqual(found(`data: ${run}`), [`gh-token=${run}`]);
    assert.deepEqual(found(Buffer.from('nothing of interest is said here').toString('base64')), []);
  });

  test('takes for a web token what has a header, with or without a signature', () => {
    const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const unsigned = `${encode({ alg: 'none' })}.${encode({ sub: '1' })}`;
    for (const token of [`${unsigned}.abc_-`, `${unsigned}.`, unsigned, `${encode({ kid: 'a', alg: 'RS256' })}.e30.x`])
      assert.deepEqual(found(`a ${token} b`), [`jwt=${token}`]);
    for (const text of ['eyJustKidding.about.this', `${encode({ sub: 'alg' })}.a.b`, encode({ alg: 'none' })])
      assert.deepEqual(found(text), [], text);
  });

  test('finds a password in a sentence, whatever the language', () => {
    const sentences = [
      'The root password is V.',
      'I changed the password for the router to V, ok?',
      'Login with admin / V.',
      'Use V as the password.',
      'user robin, pass V',
      'Das WLAN-Passwort lautet V.',
      'Le mot de passe de root est V.',
      'La contraseña del servidor es V.',
      'A senha do banco é V.',
      'パスワードはVです。',
      '数据库的密码是V，请保密。',
    ];
    for (const sentence of sentences)
      for (const password of ['hunter2', 'Tr0ub4dor&3', 'P@ssw0rd#1', 'correct-horse-battery-staple'])
        assert.deepEqual(found(sentence.replace('V', password)), [`password=${password}`], sentence);
    assert.deepEqual(found('the new passphrase is "river lantern copper meadow"'), [
      'password=river lantern copper meadow',
    ]);
  });

  test('passes over sentences about passwords, and over code', () => {
    const texts = [
      'the password is required',
      'The password is correct.',
      'password is stored hashed with SHA-256',
      'the password must be 8 characters',
      'Das Passwort ist falsch. Passwort vergessen?',
      'mot de passe oublié',
      'La contraseña es obligatoria',
      'A senha é obrigatória',
      'パスワードは8文字以上です',
      '密码是必填项',
      'Log in as root at 10:30am',
      'password = getpass()',
      'pass: boolean',
      'PASS=1',
      'PASS: test_login2',
      'if (secret == null) return',
      'hash(passphrase, salt)',
      'the token is valid for 15 minutes',
      'password reset for user42 was sent',
    ];
    for (const text of texts) assert.deepEqual(found(text), [], text);
  });

  test('finds passwords on command lines, in SQL, in tables', () => {
    const texts = [
      'mysql -u root -pV app',
      "sshpass -p 'V' ssh root@host",
      'docker login -u robin -p V registry.test',
      'redis-cli -a V ping',
      'PGPASSWORD=V psql',
      "echo 'V' | sudo -S reboot",
      "CREATE USER app IDENTIFIED BY 'V';",
      'machine host login robin password V',
      'Server=db;User Id=sa;Password=V;Encrypt=true',
      'app:V@tcp(db:3306)/app',
      '| user | password |\n|---|---|\n| robin | V |',
      "requests.get(url, auth=('robin', 'V'))",
      '{"name":"DB_PASSWORD","value":"V"}',
    ];
    for (const text of texts)
      for (const password of ['hunter2', 'Tr0ub4dor&3'])
        assert.deepEqual(
          found(text.replace('V', () => password)).map((one) => one.replace(/^[\w-]+=/, '')),
          [password],
          text,
        );
  });

  test('finds PINs, codes, seeds and session cookies', () => {
    assert.deepEqual(found('Cookie: theme=dark; sessionid=6ynxs23n521lu21b1t136rhbv7ezngie; a=1'), [
      'session-cookie=6ynxs23n521lu21b1t136rhbv7ezngie',
    ]);
    assert.deepEqual(found('My PIN is 482913.'), ['pin=482913']);
    assert.deepEqual(found('{"recovery_codes": ["a1b2c-d3e4f", "g5h6i-j7k8l"]}'), [
      'recovery-code=a1b2c-d3e4f',
      'recovery-code=g5h6i-j7k8l',
    ]);
    const seed = 'JBSWY3DPEHPK3PXP';
    assert.deepEqual(found(`otpauth://totp/x?secret=${seed}&issuer=x`), [`otp-seed=${seed}`]);
  });

  test('takes the folders of people for private, however they are named', () => {
    for (const path of ['$HOME/x', '%USERPROFILE%\\x', '~robin/x', '/c/Users/robin/x', '$env:APPDATA\\x'])
      assert.deepEqual(found(`see ${path}`), [`abs-path=${path}`], path);
    for (const text of ['~30/min', 'a~b/c', 'src/home/x']) assert.deepEqual(found(text), [], text);
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
    for (const [i, literal] of listRules()
      .flatMap(({ literals }) => literals)
      .entries()) {
      for (const unit of [literal + tails[i % tails.length]!, literal + tails[(i * 5 + 3) % tails.length]!]) {
        const short = timeOf(unit, 2000);
        // Eight times the length: what is linear takes eight times as long, what is not, sixty-four times. The constant is for the clock.
        const long = timeOf(unit, 16_000);
        assert.ok(long < 24 * short + 40_000, `${JSON.stringify(unit)}: ${short} µs, then ${long} µs`);
      }
    }
  });
});

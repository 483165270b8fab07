import type { Random } from '../../src/features/evaluation/seeded-random.ts';

/** Where secrets stand in what agents read, write and say; the shapes that the rules were tuned on. */
export interface Shapes {
  /** A private key, as a tool shows it. */
  keys: Record<string, (key: string) => string>;
  /** A password of any printable signs, as a file or a command holds it; null: the syntax cannot hold this one. */
  passwords: Record<string, (password: string) => string | null>;
  /** A token with a shape of its own. */
  tokens: Record<string, (token: string) => string>;
  /** Secrets that their place alone gives away: what is secret, and the text around it. */
  placed: Record<string, (draw: Draw) => { secret: string; text: string }>;
}

/** So many characters of an alphabet, hexadecimal where none is named. */
export type Draw = (length: number, alphabet?: string) => string;

export const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
export const BASE64 = `${LETTERS}+/`;
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export function drawFrom(random: Random): Draw {
  return (length, alphabet = '0123456789abcdef') =>
    Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
}

/** Eight to thirty-two of all that can be typed, as a generator makes them: a letter, a capital, a digit and a sign at least. */
export function drawPassword(random: Random): string {
  const length = 8 + Math.floor(random() * 25);
  for (;;) {
    const password = Array.from({ length }, () => String.fromCharCode(33 + Math.floor(random() * 94))).join('');
    if (/[a-z]/.test(password) && /[A-Z]/.test(password) && /\d/.test(password) && /[^A-Za-z\d]/.test(password))
      return password;
  }
}

export function drawUuid(draw: Draw): string {
  return [8, 4, 4, 4, 12].map((length) => draw(length)).join('-');
}

const lines = (text: string): string[] => text.trimEnd().split('\n');
const prefixed = (text: string, prefix: (i: number) => string): string =>
  `${lines(text)
    .map((line, i) => prefix(i + 1) + line)
    .join('\n')}\n`;
const jsonText = (text: string): string => JSON.stringify(text);
const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
/** As `printf %q` writes a word. */
const escaped = (text: string): string => text.replace(/[^\w@%+=:,./-]/g, '\\$&');
const doubleQuoted = (text: string): string => `"${text.replace(/[\\"$`]/g, '\\$&')}"`;

export const TUNED: Shapes = {
  keys: {
    'as it is': (key) => key,
    'arrow numbers': (key) => prefixed(key, (i) => `${String(i).padStart(6)}→`),
    'cat -n': (key) => prefixed(key, (i) => `${String(i).padStart(6)}\t`),
    'grep -n': (key) => prefixed(key, (i) => `${i}:`),
    'file and line': (key) => prefixed(key, (i) => `deploy/keys/id_main:${i}:`),
    quoted: (key) => prefixed(key, () => '> '),
    'comment, hash': (key) => prefixed(key, () => '# '),
    'comment, slashes': (key) => prefixed(key, () => '// '),
    'diff, added': (key) => prefixed(key, () => '+'),
    'diff, removed': (key) => `@@ -1,9 +0,0 @@\n${prefixed(key, () => '-')}`,
    'source, joined': (key) =>
      lines(key)
        .map((line) => `    "${line}\\n" +`)
        .join('\n'),
    'source, python': (key) =>
      `KEY = (\n${lines(key)
        .map((line) => `    '${line}\\n'`)
        .join('\n')}\n)\n`,
    'list in JSON': (key) => JSON.stringify({ key: lines(key) }),
    'list in JSON, in lines': (key) => JSON.stringify({ key: lines(key) }, null, 2),
    'list in YAML': (key) => `key:\n${prefixed(key, () => '  - ')}`,
    'block in YAML': (key) => `key: |\n${prefixed(key, () => '    ')}next: 1\n`,
    'escaped in JSON': (key) => JSON.stringify({ private_key: key, client_id: '117' }),
    'JSON in JSON': (key) => JSON.stringify({ output: JSON.stringify({ private_key: key }) }),
    'JSON in JSON in JSON': (key) => JSON.stringify({ a: JSON.stringify({ b: JSON.stringify({ private_key: key }) }) }),
    'URL-encoded': (key) => `key=${encodeURIComponent(key)}&name=x`,
    'URL-encoded, plus': (key) => new URLSearchParams({ key, name: 'x' }).toString(),
    'without its head': (key) => lines(key).slice(1).join('\n'),
    'without its end': (key) => lines(key).slice(0, -1).join('\n'),
    'body alone': (key) =>
      lines(key)
        .filter((line) => /^[\w+/=]+$/.test(line))
        .join('\n'),
    'in one line': (key) => lines(key).join(' '),
    'in one line, nothing between': (key) => lines(key).join(''),
    'in a variable': (key) => `TLS_KEY="${lines(key).join('\\n')}"\n`,
    CRLF: (key) => key.replaceAll('\n', '\r\n'),
    'line and arrow, in JSON': (key) => JSON.stringify({ content: prefixed(key, (i) => `${String(i).padStart(6)}→`) }),
    'base64 of it': (key) => Buffer.from(key).toString('base64'),
  },
  passwords: {
    JSON: (password) => JSON.stringify({ host: 'db1', password, port: 5432 }),
    'JSON, pretty': (password) => JSON.stringify({ host: 'db1', db_password: password, port: 5432 }, null, 2),
    'JSON in JSON': (password) => JSON.stringify({ stdout: JSON.stringify({ user: 'app', password }) }),
    'JSON in JSON in JSON': (password) =>
      JSON.stringify({ a: JSON.stringify({ b: JSON.stringify({ user: 'app', password }) }) }),
    'single quotes': (password) => (/['\\]/.test(password) ? null : `const password = '${password}';\n`),
    'double quotes': (password) => `const password = ${jsonText(password)};\n`,
    'YAML, double': (password) => `db:\n  user: app\n  password: ${jsonText(password)}\n  port: 1\n`,
    'YAML, single': (password) => `db:\n  user: app\n  password: '${password.replaceAll("'", "''")}'\n  port: 1\n`,
    'YAML, block': (password) => `db:\n  password: |\n    ${password}\n  port: 1\n`,
    'YAML, folded': (password) => `db:\n  password: >-\n    ${password}\n  port: 1\n`,
    'YAML, block in JSON': (password) =>
      JSON.stringify({ content: `db:\n  password: |\n    ${password}\n  port: 1\n` }),
    'YAML, tag': (password) => `password: !!str ${jsonText(password)}\n`,
    'YAML, anchor': (password) => `password: &main '${password.replaceAll("'", "''")}'\nother: *main\n`,
    'object of a value': (password) => JSON.stringify({ password: { value: password, version: 3 } }),
    'YAML, name and value in JSON': (password) =>
      JSON.stringify({
        content: `env:\n  - name: DB_PASSWORD\n    value: ${jsonText(password)}\n  - name: X\n    value: y\n`,
      }),
    'option, escaped': (password) => `deploy --user app --password ${escaped(password)} --yes\n`,
    'before a command, escaped': (password) => `MYSQL_PWD=${escaped(password)} mysql -u app\n`,
    'curl --user, name outside': (password) => `curl --user bob:${shellQuoted(password)} https://acme.test/x\n`,
    'sudo -S': (password) => `echo ${shellQuoted(password)} | sudo -S apt-get update\n`,
    chpasswd: (password) => `echo ${shellQuoted(`bob:${password}`)} | chpasswd\n`,
    'env file': (password) => `DB_HOST=db1\nDB_PASSWORD=${password}\nDB_NAME=app\n`,
    'env file, quoted': (password) => `DB_HOST=db1\nDB_PASSWORD=${doubleQuoted(password)}\nDB_NAME=app\n`,
    export: (password) => `export PGPASSWORD=${shellQuoted(password)}\npsql -h db1\n`,
    properties: (password) => `db.user=app\ndb.password=${password}\ndb.port=1\n`,
    ini: (password) => `[client]\nuser = app\npassword = ${password}\nhost = db1\n`,
    'option with a sign': (password) => `deploy --user app --password=${shellQuoted(password)} --yes\n`,
    'option with a blank': (password) => `deploy --user app --password ${shellQuoted(password)} --yes\n`,
    'mysql -p': (password) => `mysql -u app -p${shellQuoted(password)} shop\n`,
    URL: (password) => `DATABASE_URL=postgres://app:${encodeURIComponent(password)}@db1:5432/shop\n`,
    'URL, not escaped': (password) =>
      /[@/?#\s"'`<>\\]/.test(password) ? null : `postgres://app:${password}@db1:5432/shop\n`,
    'connection string': (password) =>
      /[;"'{}=]/.test(password) ? null : `Server=db1;Database=shop;User Id=app;Password=${password};Encrypt=true\n`,
    XML: (password) =>
      `<password>${password.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</password>`,
    'keyword argument': (password) => `connect(host="db1", user="app", password=${jsonText(password)})\n`,
    'env in JSON': (password) => JSON.stringify({ content: `DB_HOST=db1\nDB_PASSWORD=${password}\nDB_NAME=app\n` }),
    'code in JSON': (password) => JSON.stringify({ content: `const password = ${jsonText(password)};\n` }),
    'command in JSON': (password) =>
      JSON.stringify({ command: `mysql -u app --password=${shellQuoted(password)} shop` }),
    TOML: (password) => `[db]\nuser = "app"\npassword = ${jsonText(password)}\n`,
    'numbered file': (password) => `     1→DB_HOST=db1\n     2→DB_PASSWORD=${password}\n     3→DB_NAME=app\n`,
    diff: (password) => `-  password: "old"\n+  password: ${jsonText(password)}\n`,
  },
  tokens: {
    home: (token) => `/home/bob/${token}`,
    'home, deeper': (token) => `cat /home/bob/keys/${token}/config.json`,
    drive: (token) => `C:\\Users\\bob\\${token}`,
    'drive, in JSON': (token) => JSON.stringify({ path: `C:\\Users\\bob\\${token}\\x.txt` }),
    variable: (token) => `$HOME/.cache/${token}.json`,
    tmp: (token) => `/tmp/${token}-out.log`,
    share: (token) => `\\\\files\\team\\${token}`,
    remote: (token) => `git clone https://x-access-token:${token}@github.com/acme/app.git`,
  },
  placed: {
    'aws, colon': awsAfterId(':'),
    'aws, comma': awsAfterId(','),
    'aws, blank': awsAfterId(' '),
    'aws, line': awsAfterId('\n'),
    'aws, slash': awsAfterId('/'),
    'aws, id replaced earlier': (draw) => placedIn(draw(40, BASE64), (secret) => `[redacted:aws-key]:${secret}`),
    'aws, line in JSON': (draw) =>
      placedIn(draw(40, BASE64), (secret) => JSON.stringify({ stdout: `${awsId(draw)}\n${secret}\n` })),
    'uuid, _authToken in JSON': (draw) =>
      placedIn(drawUuid(draw), (secret) => JSON.stringify({ stdout: `//registry.npmjs.org/:_authToken=${secret}` })),
    'passphrase in YAML in JSON in JSON': (draw) =>
      placedIn(drawWords(draw, 5), (secret) =>
        JSON.stringify({ a: JSON.stringify({ content: `vault:\n  passphrase: ${secret}\n  path: x\n` }) }),
      ),
    'aws, CSV of the console': (draw) => {
      const secret = draw(40, BASE64);
      return { secret, text: `Access key ID,Secret access key\n${awsId(draw)},${secret}\n` };
    },
    'aws, older CSV': (draw) => {
      const secret = draw(40, BASE64);
      return {
        secret,
        text: `User name,Password,Access key ID,Secret access key,Console login link\nbob,,${awsId(draw)},${secret},https://1.signin.aws.amazon.com/console\n`,
      };
    },
    'aws configure set': (draw) =>
      placedIn(draw(40, BASE64), (secret) => `aws configure set aws_secret_access_key ${secret} --profile prod`),
    'aws, blank after the name': (draw) => placedIn(draw(40, BASE64), (secret) => `aws_secret_access_key ${secret}`),
    'uuid, PINECONE_API_KEY': (draw) => placedIn(drawUuid(draw), (secret) => `PINECONE_API_KEY=${secret}\n`),
    'uuid, _authToken': (draw) => placedIn(drawUuid(draw), (secret) => `//registry.npmjs.org/:_authToken=${secret}\n`),
    'uuid in JSON': (draw) => placedIn(drawUuid(draw), (secret) => JSON.stringify({ name: 'x', apiKey: secret })),
    'uuid in YAML': (draw) => placedIn(drawUuid(draw), (secret) => `service:\n  api_key: ${secret}\n`),
    'ltm auth': (draw) => placedIn(draw(44, LETTERS), (secret) => `ltm auth https://memory.acme.test ${secret}`),
    'docker login': (draw) =>
      placedIn(draw(24, LETTERS), (secret) => `docker login -u bob -p ${secret} registry.acme.test`),
    'curl -u': (draw) => placedIn(draw(14, LETTERS), (secret) => `curl -u bob:${secret} https://acme.test/x`),
    'curl -ubob:…': (draw) => placedIn(draw(14, LETTERS), (secret) => `curl -ubob:${secret} https://acme.test/x`),
    sshpass: (draw) => placedIn(draw(14, LETTERS), (secret) => `sshpass -p ${secret} ssh bob@db1`),
    htpasswd: (draw) => placedIn(draw(14, LETTERS), (secret) => `htpasswd -b /etc/nginx/users bob ${secret}`),
    'openssl -passin': (draw) =>
      placedIn(draw(14, LETTERS), (secret) => `openssl rsa -in a.pem -passin pass:${secret} -out b.pem`),
    'export TOKEN': (draw) => placedIn(draw(32, LETTERS), (secret) => `export ACME_TOKEN=${secret}`),
    'set-cookie': (draw) =>
      placedIn(draw(40, LETTERS), (secret) => `Set-Cookie: session=${secret}; Path=/; HttpOnly\n`),
    authorization: (draw) => placedIn(draw(40, LETTERS), (secret) => `> Authorization: Token ${secret}\n`),
    'passphrase in YAML': (draw) =>
      placedIn(drawWords(draw, 5), (secret) => `vault:\n  passphrase: ${secret}\n  path: x\n`),
    'passphrase in YAML, with a number': (draw) =>
      placedIn(drawWords(draw, 4), (secret) => `vault:\n  passphrase: ${secret} 7!\n  path: x\n`),
    'passphrase in YAML, folded': (draw) =>
      placedIn(drawWords(draw, 6), (secret) => `vault:\n  passphrase: >-\n    ${secret}\n  path: x\n`),
    'passphrase in JSON in JSON': (draw) =>
      placedIn(drawWords(draw, 5), (secret) => JSON.stringify({ a: JSON.stringify({ passphrase: secret }) })),
    'machine-made in YAML': (draw) =>
      placedIn(drawWords(draw, 4), (secret) => `wifi:\n  ssid: office\n  password: ${secret}\n`),
  },
};

export function placedIn(secret: string, text: (secret: string) => string): { secret: string; text: string } {
  return { secret, text: text(secret) };
}

export function awsId(draw: Draw): string {
  return ['AK', 'IA', draw(16, UPPER)].join('');
}

function awsAfterId(sign: string): Shapes['placed'][string] {
  return (draw) => {
    const id = awsId(draw);
    return placedIn(draw(40, BASE64), (secret) => `${id}${sign}${secret}`);
  };
}

const WORDS =
  'correct horse battery staple river lantern copper meadow orbit velvet saddle cactus marble thunder pickle ribbon'.split(
    ' ',
  );

export function drawWords(draw: Draw, count: number): string {
  return Array.from({ length: count }, () => WORDS[Number.parseInt(draw(1), 16)]).join(' ');
}

import { awsId, BASE64, type Draw, drawUuid, drawWords, LETTERS, placedIn, type Shapes } from './shapes.ts';

const lines = (text: string): string[] => text.trimEnd().split('\n');
const each = (text: string, change: (line: string, i: number) => string, end = '\n'): string =>
  lines(text).map(change).join(end);

/** Shapes that no rule was tuned on: only the counts are read. */
export const HELD_OUT_SHAPES: Shapes = {
  keys: {
    'nl -ba': (key) => each(key, (line, i) => `${String(i + 1).padStart(6)}\t${line}`),
    'less -N': (key) => each(key, (line, i) => `${String(i + 1).padStart(7)} ${line}`),
    'bat, with a bar': (key) => each(key, (line, i) => `  ${String(i + 1).padStart(3)} │ ${line}`),
    'git blame': (key) => each(key, (line, i) => `^3f2a1bc9 (Robin Doe 2026-01-02 10:11:12 +0100 ${i + 1}) ${line}`),
    'ripgrep with context': (key) => each(key, (line, i) => `src/fixtures/server.key-${i + 1}-${line}`),
    'docker compose logs': (key) => each(key, (line) => `web-1  | ${line}`),
    journal: (key) => each(key, (line) => `Nov 19 08:13:56 host app[4711]: ${line}`),
    'SQL comment': (key) => each(key, (line) => `-- ${line}`),
    'block comment': (key) => `/*\n${each(key, (line) => ` * ${line}`)}\n */`,
    'go source': (key) => `var key = ${each(key, (line) => `"${line}\\n"`, ' +\n\t')}\n`,
    'C source': (key) => each(key, (line) => `  "${line}\\n"`),
    'java source, CRLF escapes': (key) => each(key, (line) => `"${line}\\r\\n"`, '\n        + '),
    'shell, echo by line': (key) => each(key, (line) => `echo "${line}" >> /tmp/k.pem`),
    heredoc: (key) => `cat > ~/.ssh/id <<'EOT'\n${key}EOT\nchmod 600 ~/.ssh/id\n`,
    'markdown fence in a quote': (key) => `> \`\`\`\n${each(key, (line) => `> ${line}`)}\n> \`\`\`\n`,
    HTML: (key) => `<pre>${each(key, (line) => line, '<br>\n')}</pre>`,
    'table cell': (key) => each(key, (line, i) => `| ${i + 1} | ${line} |`),
    'XML attribute': (key) => `<key value="${each(key, (line) => line, '&#10;')}"/>`,
    CSV: (key) => `name,key\nweb,"${key}"\n`,
    'ansible folded': (key) => `  ssh_key: >-\n${each(key, (line) => `        ${line}`)}\n`,
    'terraform heredoc': (key) => `key = <<-EOT\n${each(key, (line) => `      ${line}`)}\n    EOT\n`,
    'objects by line': (key) => JSON.stringify({ matches: lines(key).map((text, i) => ({ line: i + 1, text })) }),
    'middle cut out': (key) => [...lines(key).slice(0, 4), '[...]', ...lines(key).slice(5)].join('\n'),
    'hook, first half': (key) =>
      lines(key)
        .slice(0, Math.ceil(lines(key).length / 2))
        .join('\n'),
    'hook, second half': (key) =>
      lines(key)
        .slice(Math.floor(lines(key).length / 2))
        .join('\n'),
    'quoted-printable': (key) => key.replaceAll('=', '=3D'),
    'unicode escapes': (key) => key.replaceAll('\n', '\\u000a'),
    'hunk, words around': (key) => `fix: remove key\n\n${each(key, (line) => `-    ${line}`)}\n+    // gone\n`,
  },
  passwords: {
    'helm values': (password) => `auth:\n  rootPassword: ${JSON.stringify(password)}\n  database: x\n`,
    'kubernetes stringData': (password) => `stringData:\n  username: app\n  password: ${JSON.stringify(password)}\n`,
    'python dict': (password) =>
      /['\\]/.test(password) ? null : `conn = {'host': 'db1', 'passwd': '${password}', 'db': 'x'}\n`,
    'ruby hash': (password) => (/['\\#]/.test(password) ? null : `config = { host: 'db1', password: '${password}' }\n`),
    'php array': (password) => (/['\\]/.test(password) ? null : `$cfg['password'] = '${password}';\n`),
    'php define': (password) => (/['\\]/.test(password) ? null : `define( 'DB_PASSWORD', '${password}' );\n`),
    powershell: (password) =>
      /'/.test(password) ? null : `$password = ConvertTo-SecureString '${password}' -AsPlainText -Force\n`,
    sql: (password) => `ALTER USER app WITH PASSWORD '${password.replaceAll("'", "''")}';\n`,
    'sql, identified': (password) => `CREATE USER 'app'@'%' IDENTIFIED BY '${password.replaceAll("'", "''")}';\n`,
    compose: (password) => `    environment:\n      - POSTGRES_PASSWORD=${password}\n      - TZ=UTC\n`,
    systemd: (password) => `Environment="APP_PASSWORD=${password.replace(/[\\"]/g, '\\$&')}"\nExecStart=/usr/bin/app\n`,
    'redis.conf': (password) => `port 6379\nrequirepass ${JSON.stringify(password)}\n`,
    netrc: (password) => `machine api.acme.test login bob password ${password}\n`,
    jdbc: (password) => `jdbc:mysql://db1/x?user=app&password=${encodeURIComponent(password)}&ssl=true\n`,
    mongodb: (password) => `mongodb+srv://app:${encodeURIComponent(password)}@c0.ab1.mongodb.net/x\n`,
    'go struct': (password) => `cfg := Config{\n\tUser:     "app",\n\tPassword: ${JSON.stringify(password)},\n}\n`,
    'JS object': (password) => `const db = { user: "app", password: ${JSON.stringify(password)}, port: 1 };\n`,
    'curl -u': (password) => (/'/.test(password) ? null : `curl -u 'bob:${password}' https://acme.test/\n`),
    'curl --data JSON': (password) =>
      /'/.test(password) ? null : `curl -d '${JSON.stringify({ user: 'bob', password })}' https://acme.test/login\n`,
    'log line': (password) => `2026-11-19 INFO login user=bob password=${password}\n`,
    'tool result': (password) =>
      JSON.stringify({
        type: 'tool_result',
        content: [{ type: 'text', text: JSON.stringify({ env: { DB_PASSWORD: password } }, null, 2) }],
      }),
    'read of env': (password) =>
      JSON.stringify({ toolUseResult: { file: { content: `A=1\nSMTP_PASSWORD=${password}\nB=2` } } }),
    'form data': (password) => new URLSearchParams({ username: 'bob', password }).toString(),
    terraform: (password) => `variable "db" {\n  password = ${JSON.stringify(password)}\n}\n`,
    'yaml plain': (password) =>
      /^[-?:,[\]{}#&*!|>'"%@`]|: | #|:$/.test(password) ? null : `db:\n  password: ${password}\n  port: 1\n`,
  },
  tokens: {
    'mac home': (token) => `open /Users/bob/Library/${token}/db.sqlite`,
    opt: (token) => `ls -la /opt/secrets/${token}`,
    tilde: (token) => `source ~/tokens/${token}`,
    'windows, forward': (token) => `D:/work/${token}/README.md`,
    'file URL': (token) => `file:///home/bob/${token}.txt`,
    'stack trace': (token) => `    at run (/home/bob/app/${token}/index.js:10:3)`,
    'env home': (token) => `%USERPROFILE%\\keys\\${token}`,
    'with an extension': (token) => `/var/lib/app/${token}.tar.gz`,
  },
  placed: {
    'aws, two lines with names': (draw) =>
      placedIn(draw(40, BASE64), (secret) => `aws_access_key_id = ${awsId(draw)}\naws_secret_access_key = ${secret}\n`),
    'aws, table': (draw) => placedIn(draw(40, BASE64), (secret) => `| ${awsId(draw)} | ${secret} |`),
    'aws, tab': (draw) => placedIn(draw(40, BASE64), (secret) => `${awsId(draw)}\t${secret}`),
    'aws, slash': (draw) => placedIn(draw(40, BASE64), (secret) => `${awsId(draw)} / ${secret}`),
    'aws cli JSON': (draw) =>
      placedIn(draw(40, BASE64), (secret) =>
        JSON.stringify({ AccessKey: { AccessKeyId: awsId(draw), SecretAccessKey: secret } }, null, 4),
      ),
    boto: (draw) =>
      placedIn(
        draw(40, BASE64),
        (secret) => `boto3.client("s3", aws_access_key_id="${awsId(draw)}", aws_secret_access_key="${secret}")`,
      ),
    'export SECRET': (draw) => placedIn(draw(40, BASE64), (secret) => `export AWS_SECRET_ACCESS_KEY=${secret}`),
    s3cmd: (draw) => placedIn(draw(40, BASE64), (secret) => `access_key = ${awsId(draw)}\nsecret_key = ${secret}\n`),
    'mc alias': (draw) =>
      placedIn(draw(40, BASE64), (secret) => `mc alias set prod https://s3.acme.test ${awsId(draw)} ${secret}`),
    'uuid, header': (draw) => placedIn(drawUuid(draw), (secret) => `curl -H 'X-API-Key: ${secret}' https://acme.test/`),
    'uuid, export': (draw) => placedIn(drawUuid(draw), (secret) => `export HEROKU_API_KEY="${secret}"`),
    'uuid, client secret': (draw) =>
      placedIn(drawUuid(draw), (secret) => JSON.stringify({ client_id: 'web', client_secret: secret })),
    'uuid, bearer': (draw) => placedIn(drawUuid(draw), (secret) => `Authorization: Bearer ${secret}`),
    'uuid, code': (draw) => placedIn(drawUuid(draw), (secret) => `const apiToken = '${secret}';`),
    'npm login token': (draw) =>
      placedIn(drawUuid(draw), (secret) => `npm config set //registry.npmjs.org/:_authToken ${secret}`),
    'gh secret set': (draw) => placedIn(draw(40, LETTERS), (secret) => `gh secret set DEPLOY_TOKEN --body "${secret}"`),
    'heroku config': (draw) =>
      placedIn(draw(40, LETTERS), (secret) => `heroku config:set STRIPE_SECRET=${secret} -a shop`),
    'kubectl secret': (draw) =>
      placedIn(draw(20, LETTERS), (secret) => `kubectl create secret generic db --from-literal=password=${secret}`),
    'vault kv': (draw) => placedIn(draw(20, LETTERS), (secret) => `vault kv put secret/db password=${secret}`),
    'redis-cli': (draw) => placedIn(draw(20, LETTERS), (secret) => `redis-cli -h r1 -a ${secret} ping`),
    'psql variable': (draw) => placedIn(draw(20, LETTERS), (secret) => `PGPASSWORD=${secret} psql -h db1 -U app`),
    wget: (draw) => placedIn(draw(16, LETTERS), (secret) => `wget --user=bob --password=${secret} https://acme.test/f`),
    'openssl passout': (draw) =>
      placedIn(draw(16, LETTERS), (secret) => `openssl genrsa -aes256 -passout pass:${secret} 2048`),
    'cookie header': (draw) =>
      placedIn(draw(40, LETTERS), (secret) => `curl -b 'sessionid=${secret}' https://acme.test/`),
    'basic header': (draw) =>
      placedIn(
        Buffer.from(`bob:${draw(16, LETTERS)}`).toString('base64'),
        (secret) => `Authorization: Basic ${secret}`,
      ),
    'yaml passphrase, quoted': (draw) => placedIn(drawWords(draw, 6), (secret) => `gpg:\n  passphrase: "${secret}"\n`),
    'yaml passphrase, capital': (draw) =>
      placedIn(capital(drawWords(draw, 4)), (secret) => `restic:\n  repository: s3\n  password: ${secret}\n`),
    'env passphrase': (draw) => placedIn(drawWords(draw, 5), (secret) => `BORG_PASSPHRASE="${secret}"\n`),
    'deep JSON': (draw) =>
      placedIn(draw(32), (secret) =>
        JSON.stringify({ x: JSON.stringify({ y: JSON.stringify({ z: JSON.stringify({ api_key: secret }) }) }) }),
      ),
    'ltm login': (draw) => placedIn(draw(44, LETTERS), (secret) => `LTM_TOKEN=${secret} ltm serve`),
  },
};

function capital(words: string): string {
  return words.replace(/(?:^| )\w/g, (letter) => letter.toUpperCase());
}

export type { Draw };

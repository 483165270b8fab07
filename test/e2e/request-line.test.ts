import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readOwnerToken } from '../../src/auth/owner-token.ts';
import { sendRaw } from './raw-request.ts';
import { makeServeFolder, removeFolder, type ServeProcess, startServe } from './serve-process.ts';

const folder = makeServeFolder(null);
let server: ServeProcess;
let host = '';
let token = '';

before(async () => {
  server = await startServe(folder, ['--db', `${folder}/memory.db`]);
  host = new URL(server.url).host;
  token = readOwnerToken(`${folder}/owner-token`, console)!;
  await fetch(`${server.url}/v1/teams`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: '{"name":"crew"}',
  });
});
after(async () => {
  await server.stop();
  removeFolder(folder);
});

const ask = (line: string, headers: readonly string[] = []) =>
  sendRaw(
    server.url,
    [
      `${line} HTTP/1.1`,
      ...(headers.some((header) => header.startsWith('Host:')) ? [] : [`Host: ${host}`]),
      `Authorization: Bearer ${token}`,
      ...headers,
      'Content-Length: 0',
      '',
      '',
    ].join('\r\n'),
  );

test('the host of a link is the one that was checked, whatever the request line and the headers say', async () => {
  for (const [line, headers] of [
    ['POST /v1/teams/crew/invites', []],
    ['POST http://evil.test/v1/teams/crew/invites', []],
    ['POST HTTPS://u:p@evil.test:99999/v1/teams/crew/invites', []],
    [
      'POST /v1/teams/crew/invites',
      ['X-Forwarded-Host: evil.test', 'X-Forwarded-Proto: https', 'Forwarded: host=evil.test'],
    ],
  ] as const) {
    const { status, body } = await ask(line, headers);
    assert.equal(status, 201, line);
    assert.ok((JSON.parse(body) as { url: string }).url.startsWith(`${server.url}/v1/invites/`), body);
  }
  for (const path of ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-authorization-server']) {
    const { status, body } = await ask(`GET http://evil.test${path}`);
    assert.equal(status, 200);
    assert.ok(body.includes(server.url) && !body.includes('evil.test'), body);
  }
  const refused = await ask('GET http://evil.test/mcp', ['Authorization: Bearer wrong']);
  assert.doesNotMatch(JSON.stringify(refused), /evil\.test/);
  const home = await ask('GET http://evil.test', []);
  assert.ok(home.body.includes(`${server.url}/mcp`) && !home.body.includes('evil.test'), home.body);
});

test('a tunnel that changes the port is let in, and a name of somebody else is not', async () => {
  for (const name of ['localhost:9000', '127.0.0.1:9000', '[::1]:9000', 'localhost']) {
    const { status, body } = await ask('POST /v1/teams/crew/invites', [`Host: ${name}`]);
    assert.equal(status, 201, name);
    assert.ok((JSON.parse(body) as { url: string }).url.startsWith(`http://${name}/v1/invites/`), body);
    const page = await ask('GET /api/v1/health', [`Host: ${name}`, `Origin: http://${name}`]);
    assert.equal(page.status, 200, `a page of ${name}`);
    assert.equal((await ask('GET /api/v1/health', [`Host: ${name}`, 'Origin: http://localhost:9001'])).status, 403);
  }
  const { body } = await ask('GET /.well-known/oauth-protected-resource/mcp', ['Host: localhost:9000']);
  assert.match(body, /"resource":"http:\/\/localhost:9000\/mcp","authorization_servers":\["http:\/\/localhost:9000"\]/);
  for (const name of [
    'evil.test',
    `evil.test:${new URL(server.url).port}`,
    '127.0.0.1.nip.io',
    'localhost.evil.test',
    '0.0.0.0',
  ])
    for (const path of ['/api/v1/health', '/mcp', '/oauth/device', '/v1/packets'])
      assert.equal((await ask(`GET ${path}`, [`Host: ${name}`])).status, 403, `${name}${path}`);
});

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, beforeEach, describe, test } from 'node:test';
import { configFilePath } from '../../src/settings/user-folders.ts';
import { expectMode } from '../expect-mode.ts';
import { type Ran, runLtm } from './packet-server.ts';

interface Asked {
  path: string;
  authorization: string | undefined;
  form: Record<string, string>;
}

let stub: Server;
let home: string;
let asked: Asked[] = [];
/** What the stub says to those who ask for a token, one after the other. */
let answers: { status: number; body: object }[] = [];
before(async () => {
  stub = createServer(async (request, response) => {
    const { url = '', headers } = request;
    asked.push({
      path: url,
      authorization: headers.authorization,
      form: Object.fromEntries(new URLSearchParams(await text(request))),
    });
    const say = (status: number, body: object) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (url === '/v1/healthz') say(200, { ok: true, version: '0.2' });
    else if (url.startsWith('/v1/packets'))
      say(headers.authorization === 'Bearer good-token' ? 200 : 401, { packets: [], error: 'invalid token' });
    else if (url === '/oauth/authorize_device')
      say(200, {
        device_code: 'the-device',
        user_code: 'abcd1234',
        verification_uri: `${address()}/device`,
        interval: 0.05,
        expires_in: 30,
      });
    else if (url === '/oauth/token') {
      const { status, body } = answers.shift() ?? { status: 400, body: { error: 'expired_token' } };
      say(status, body);
    } else say(404, {});
  });
  await new Promise<void>((resolve) => stub.listen(0, '127.0.0.1', resolve));
});
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'ltm-sign-in-'));
  asked = [];
  answers = [];
});
after(() => stub.close());

function address(): string {
  return `http://127.0.0.1:${(stub.address() as AddressInfo).port}`;
}

function ltm(words: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  return runLtm(home, words, { env });
}

const refusals = (...errors: string[]) => errors.map((error) => ({ status: 400, body: { error } }));

describe('signing in from the command line', () => {
  test('L32 and L33: a token is tried, kept for its server in private files, and known by eight digits', async (t) => {
    t.after(() => rmSync(home, { recursive: true, force: true }));
    assert.deepEqual(JSON.parse((await ltm(['auth', 'whoami'])).stdout), { host: '', token_hash8: '' });
    const refused = await ltm(['auth', address(), 'bad-token']);
    assert.deepEqual([refused.code === 0, refused.stdout], [false, '']);
    const { code, stdout } = await ltm(['auth', `${address()}//`, 'good-token']);
    assert.deepEqual([code, stdout.trim().split('\n').length], [0, 2]);
    assert.deepEqual(
      asked.slice(-2).map(({ path, authorization }) => `${path} ${authorization ?? 'none'}`),
      ['/v1/healthz none', '/v1/packets?limit=1 Bearer good-token'],
    );
    const hash = createHash('sha256').update('good-token').digest('hex').slice(0, 8);
    assert.deepEqual(JSON.parse((await ltm(['auth', 'whoami'])).stdout), { host: address(), token_hash8: hash });
    const kept = join(home, '.config', 'ltm');
    expectMode(kept, 0o700);
    for (const file of [configFilePath({ HOME: home }), join(kept, 'credentials')]) expectMode(file, 0o600);
    assert.equal((await ltm(['ls'])).code, 0);
  });

  // That it asks more slowly when told so is shown with a given clock in client.test.ts.
  test('L34: a code is shown, and asked about until it is confirmed', async (t) => {
    t.after(() => rmSync(home, { recursive: true, force: true }));
    answers = [
      ...refusals('authorization_pending', 'authorization_pending'),
      { status: 200, body: { access_token: 'good-token' } },
    ];
    const { code, stdout } = await ltm(['auth', address()]);
    assert.equal(code, 0);
    assert.match(stdout, new RegExp(`${address()}/device[\\s\\S]*ABCD-1234`));
    const [start, ...tries] = asked;
    assert.deepEqual(start?.form, { client_id: 'ltm-cli', scope: 'read write' });
    const wanted = {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: 'the-device',
      client_id: 'ltm-cli',
    };
    assert.deepEqual(
      tries.map(({ path, form }) => ({ path, ...form })),
      [1, 2, 3].map(() => ({ path: '/oauth/token', ...wanted })),
    );
    assert.equal((await ltm(['ls'])).code, 0);
  });

  test('L34: a sign-in that is refused or runs out keeps nothing', async (t) => {
    t.after(() => rmSync(home, { recursive: true, force: true }));
    for (const error of ['access_denied', 'expired_token']) {
      answers = refusals(error);
      assert.notEqual((await ltm(['auth', address()])).code, 0, error);
    }
    assert.deepEqual(JSON.parse((await ltm(['auth', 'whoami'])).stdout), { host: '', token_hash8: '' });
  });
});

describe('ltm config and ltm --version', () => {
  test('L33: settings of the client are kept where they are looked for, and the environment wins', async (t) => {
    t.after(() => rmSync(home, { recursive: true, force: true }));
    const get = async (name: string, env = {}) => (await ltm(['config', 'get', name], env)).stdout.trim();
    assert.deepEqual([await get('output'), await get('lenient')], ['human', 'false']);
    await ltm(['config', 'set', 'HOST', 'https://first.example']);
    await ltm(['config', 'set', 'lenient', 'YES']);
    await ltm(['config', 'set', 'user', 'robin']);
    assert.deepEqual(
      [await get('server'), await get('host'), await get('lenient'), await get('user')],
      ['https://first.example', 'https://first.example', 'true', 'robin'],
    );
    assert.equal(await get('server', { LTM_HOST: 'https://second.example' }), 'https://second.example');
    const listed = (await ltm(['config', 'list'], { LTM_USER: 'ada' })).stdout.split('\n');
    const shown = listed.filter((line) => /^(lenient|output|server|user) =/.test(line));
    assert.deepEqual(
      shown.map((line) => line.replace(/ {2}\(.*/, '')),
      ['lenient = true', 'output = human', 'server = https://first.example', 'user = ada'],
    );
    for (const words of [
      ['set', 'lenient', 'maybe'],
      ['set', 'colour', 'red'],
      ['get', 'colour'],
      ['unset', 'colour'],
    ]) {
      const { code, stderr } = await ltm(['config', ...words]);
      assert.deepEqual(
        [code, /editor.*lenient.*output.*server.*user|lenient is "maybe"/s.test(stderr)],
        [2, true],
        words.join(' '),
      );
    }
    await ltm(['config', 'unset', 'lenient']);
    assert.equal(await get('lenient'), 'false');
    assert.deepEqual(JSON.parse(readFileSync(configFilePath({ HOME: home }), 'utf8')), {
      server: 'https://first.example',
      user: 'robin',
    });
    await ltm(['config', 'set', 'host', 'https://third.example'], { LTM_CONFIG_DIR: join(home, 'own') });
    assert.equal(
      await get('server', { XDG_CONFIG_HOME: home, LTM_CONFIG_DIR: join(home, 'own') }),
      'https://third.example',
    );
  });

  test('L33: what was set as host is what host shows, and is unset as host, for both things that it can mean', async (t) => {
    t.after(() => rmSync(home, { recursive: true, force: true }));
    const config = async (...words: string[]) => ltm(['config', ...words]);
    const shown = async () => (await config('get', 'host')).stdout.trim();
    assert.equal(await shown(), '127.0.0.1');
    assert.match((await config('set', 'host', 'https://first.example')).stdout, /^Set server in /);
    assert.equal(await shown(), 'https://first.example');
    assert.equal(JSON.parse((await config('get', 'host', '--json')).stdout).name, 'server');
    assert.match((await config('unset', 'host')).stdout, /^Removed server from /);
    assert.equal(await shown(), '127.0.0.1');
    await config('set', 'server', 'https://second.example');
    await config('set', 'host', '0.0.0.0');
    assert.equal(await shown(), '0.0.0.0');
    const refused = await config('set', 'host', 'https://third.example');
    assert.deepEqual([refused.code, await shown()], [2, '0.0.0.0']);
    assert.match(refused.stderr, /"host" is the address that `ltm serve` listens on.*ltm config set server URL/s);
    assert.match((await config('unset', 'host')).stdout, /^Removed host from /);
    assert.equal(await shown(), 'https://second.example');
  });

  test('output json means --json everywhere, and the version names the packet protocol', async (t) => {
    t.after(() => rmSync(home, { recursive: true, force: true }));
    assert.match((await ltm(['--version'])).stdout, /^ltm version \d+\.\d+\.\d+\S* \(protocol 0\.2\)\n$/);
    assert.equal(JSON.parse((await ltm(['version'], { LTM_OUTPUT: 'json' })).stdout).protocol, '0.2');
    assert.equal((await ltm(['config', 'get', 'output'], { LTM_OUTPUT: 'json' })).stdout, 'json\n');
  });
});

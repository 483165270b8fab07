import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { expectMode } from '../expect-mode.ts';
import { type PacketServer, packetText, runLtm, signedIn, startPacketServer } from './packet-server.ts';

let server: PacketServer;
let bob: { token: string; id: string };
before(async () => {
  server = await startPacketServer();
  bob = await server.newcomer('Bob');
});
after(() => server.close());

async function addTo(team: string, token: string): Promise<void> {
  const { json } = await server.call('POST', `/v1/teams/${team}/invites`);
  await server.call('POST', `/v1/invites/${json.code}/accept`, { token });
}

describe('teams over HTTP', () => {
  test('L35 are made, listed and deleted with the codes of the protocol', async () => {
    const create = (body: object | string, token = server.owner) => server.call('POST', '/v1/teams', { body, token });
    const made = await create({ name: '  crew ', unknown: 1 });
    assert.deepEqual([made.status, Object.keys(made.json.team)], [201, ['id', 'name', 'owner_id']]);
    assert.equal(made.json.team.name, 'crew');
    for (const body of [
      { name: 'Crew' },
      { name: '' },
      { name: `x${'y'.repeat(40)}` },
      {},
      'no json',
      { name: 'ok', pad: 'x'.repeat(5000) },
    ])
      assert.equal((await create(body)).status, 400, JSON.stringify(body).slice(0, 60));
    assert.equal((await create({ name: 'crew' }, bob.token)).status, 409);
    const listed = (await server.call('GET', '/v1/teams')).json.teams;
    assert.deepEqual(Object.keys(listed.at(-1)), ['created_at', 'id', 'name', 'owner_id']);
    assert.ok(
      !(await server.call('GET', '/v1/teams', { token: bob.token })).json.teams.some(
        (team: { name: string }) => team.name === 'crew',
      ),
    );
  });

  test('L35 are hidden from everybody else: a foreign team and a missing one look the same', async () => {
    const ask = async (team: string) =>
      Promise.all(
        [
          server.call('GET', `/v1/teams/${team}/members`, { token: bob.token }),
          server.call('DELETE', `/v1/teams/${team}`, { token: bob.token }),
          server.call('POST', `/v1/teams/${team}/leave`, { token: bob.token }),
          server.call('POST', `/v1/teams/${team}/invites`, { token: bob.token }),
          server.call('GET', `/v1/packets?team=${team}`, { token: bob.token }),
          server.call('POST', `/v1/packets?team=${team}`, { token: bob.token, body: 'no packet' }),
        ].map(async (answer) => [(await answer).status, (await answer).body]),
      );
    const foreign = await ask('crew');
    assert.deepEqual(foreign, await ask('no-such-team'));
    assert.deepEqual(
      foreign.map(([status]) => status),
      [404, 404, 404, 404, 404, 404],
    );
    assert.equal(foreign[5]![1], '{\n  "error": "team not found"\n}\n');
  });

  test('L35 let members do what members may, and owners the rest', async () => {
    await addTo('crew', bob.token);
    const members = (await server.call('GET', '/v1/teams/crew/members', { token: bob.token })).json.members;
    assert.deepEqual(
      members.map(({ display, role }: { display: string; role: string }) => [display, role]),
      [
        ['owner', 'owner'],
        ['Bob', 'member'],
      ],
    );
    const { user_id: owner } = members[0];
    const statuses = [
      await server.call('DELETE', '/v1/teams/crew', { token: bob.token }),
      await server.call('DELETE', `/v1/teams/crew/members/${owner}`, { token: bob.token }),
      await server.call('DELETE', `/v1/teams/crew/members/${owner}`),
      await server.call('POST', '/v1/teams/crew/leave'),
      await server.call('DELETE', `/v1/teams/crew/members/${bob.id}`),
      await server.call('GET', '/v1/teams/crew/members', { token: bob.token }),
    ].map(({ status }) => status);
    assert.deepEqual(statuses, [403, 403, 400, 400, 204, 404]);
    await addTo('crew', bob.token);
    assert.equal(
      (await server.call('POST', '/v1/teams/crew/transfer', { body: { to: bob.id } })).json.team.owner_id,
      bob.id,
    );
    assert.equal((await server.call('POST', '/v1/teams/crew/leave')).status, 204);
    await server.call('POST', '/v1/teams/crew/invites', { token: bob.token });
    assert.equal((await server.call('DELETE', '/v1/teams/crew', { token: bob.token })).status, 204);
  });

  test('L36 keep packets of the team and of a person apart', async () => {
    await server.call('POST', '/v1/teams', { body: { name: 'apart' } });
    await addTo('apart', bob.token);
    const push = (id: string, token: string, query = '') =>
      server.call('POST', `/v1/packets${query}`, { token, body: packetText({ id }) });
    const list = async (token: string, query = '') =>
      (await server.call('GET', `/v1/packets${query}`, { token })).json.packets.map(({ id }: { id: string }) => id);
    await push('personal-packet', bob.token);
    await push('teamwork-packet', bob.token, '?team=apart');
    assert.deepEqual(
      [await list(bob.token), await list(bob.token, '?team=apart')],
      [['personal-packet'], ['teamwork-packet']],
    );
    assert.equal((await server.call('GET', '/v1/packets/personal-packet')).status, 404);
    assert.equal((await server.call('GET', '/v1/packets/teamwork-packet')).status, 200);
    const stolen = await push('personal-packet', server.owner);
    assert.equal(stolen.status, 201);
    assert.equal(
      (await server.call('GET', '/v1/packets/personal-packet', { token: bob.token })).json.goal,
      JSON.parse(packetText()).goal,
    );
    assert.equal((await server.call('DELETE', '/v1/packets/teamwork-packet')).status, 204, 'the owner of the team may');
  });

  test('L36 a packet of the team is replaced and deleted by its author and the owner alone; a deleted team takes its packets along', async () => {
    const eve = await server.newcomer('Eve');
    await addTo('apart', eve.token);
    const packet = (goal: string) => packetText({ id: 'bobs-packet-001', goal });
    await server.call('POST', '/v1/packets?team=apart', { token: bob.token, body: packet('Mine.') });
    assert.equal(
      (await server.call('POST', '/v1/packets?team=apart', { token: eve.token, body: packet('Hers.') })).status,
      403,
    );
    assert.equal((await server.call('DELETE', '/v1/packets/bobs-packet-001', { token: eve.token })).status, 403);
    assert.equal((await server.call('GET', '/v1/packets/bobs-packet-001', { token: eve.token })).json.goal, 'Mine.');
    assert.equal((await server.call('DELETE', '/v1/teams/apart')).status, 204);
    assert.equal((await server.call('GET', '/v1/packets/bobs-packet-001', { token: bob.token })).status, 404);
    assert.equal((await server.call('POST', '/v1/teams', { body: { name: 'apart' } })).status, 201);
    assert.deepEqual((await server.call('GET', '/v1/packets?team=apart')).json.packets, []);
  });
});

describe('invites', () => {
  test('L37 come from any member, last seven days and work once', async () => {
    await addTo('apart', bob.token);
    const askedAt = Date.now();
    const { status, json } = await server.call('POST', '/v1/teams/apart/invites', { token: bob.token });
    assert.equal(status, 201);
    assert.match(json.code, /^[0-9a-f]{48}$/);
    assert.equal(json.url, `${server.url}/v1/invites/${json.code}`);
    const expiresAt = Date.parse(json.expires_at) - 7 * 86_400_000;
    assert.ok(askedAt - 1000 <= expiresAt && expiresAt <= Date.now() + 1000, json.expires_at);
    const accept = () =>
      server.call('POST', `/v1/invites/${json.code}/accept`, { token: null, body: { display: 'Cleo', more: 1 } });
    const first = await accept();
    assert.deepEqual([first.status, first.json.user.display, first.json.team.name], [201, 'Cleo', 'apart']);
    assert.match(first.json.token, /^[0-9A-Za-z]{48}$/);
    assert.equal((await server.call('GET', '/v1/packets?team=apart', { token: first.json.token })).status, 200);
    assert.deepEqual(
      [
        (await accept()).status,
        (await server.call('POST', `/v1/invites/${'0'.repeat(48)}/accept`, { token: null })).status,
      ],
      [410, 410],
    );
  });

  test('are not used up, and make nobody, when the bearer is wrong', async () => {
    const { json } = await server.call('POST', '/v1/teams/apart/invites');
    const wrong = await server.call('POST', `/v1/invites/${json.code}/accept`, { token: 'wrong' });
    assert.deepEqual([wrong.status, wrong.json.error], [401, 'invalid token']);
    const long = await server.call('POST', `/v1/invites/${json.code}/accept`, {
      token: null,
      body: { display: 'x'.repeat(2000) },
    });
    assert.match(long.json.user.display, /^invited-.{6}$/);
  });

  test('L38 let one of sixteen in who come at once', async () => {
    const { json } = await server.call('POST', '/v1/teams/apart/invites');
    const before = (await server.call('GET', '/v1/teams/apart/members')).json.members.length;
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => server.call('POST', `/v1/invites/${json.code}/accept`, { token: null })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [201, ...Array(15).fill(410)]);
    assert.equal((await server.call('GET', '/v1/teams/apart/members')).json.members.length, before + 1);
  });

  test('open in a browser, where somebody new can join and is shown a token once', async () => {
    const { json } = await server.call('POST', '/v1/teams/apart/invites');
    const open = () =>
      server.call('GET', `/v1/invites/${json.code}`, { token: null, headers: { accept: 'text/html' } });
    const shown = await open();
    assert.deepEqual([shown.status, shown.headers.get('referrer-policy')], [200, 'same-origin']);
    assert.match(shown.body, /Join the team “apart”[\s\S]*ltm join http[\s\S]*<form method="post">/);
    const send = (fields: Record<string, string>, headers = {}) =>
      server.call('POST', `/v1/invites/${json.code}`, { token: null, body: `${new URLSearchParams(fields)}`, headers });
    assert.equal((await send({ name: 'Mallory' }, { origin: 'https://evil.example' })).status, 403);
    const weak = await send({ name: '<b>Dan</b>', password: 'x' });
    assert.equal(weak.status, 400);
    assert.match(weak.body, /role="alert"[\s\S]*value="&lt;b&gt;Dan&lt;\/b&gt;"/);
    const joined = await send({
      name: '<b>Dan</b>',
      email: 'dan@example.com',
      password: 'correct horse battery staple 9',
    });
    const [token] = /ltmk[0-9A-Za-z]{44}/.exec(joined.body) ?? [];
    assert.deepEqual(
      [joined.status, /<b>Dan/.test(joined.body), joined.headers.get('cache-control')],
      [201, false, 'private, no-store'],
    );
    assert.equal((await server.call('GET', '/v1/packets?team=apart', { token: token! })).status, 200);
    assert.equal((await open()).status, 410);
    assert.ok(!server.log().includes(json.code), 'the code is in the log');
  });
});

describe('teams from the command line', () => {
  test('a team is made here, joined there without an account, and a packet saved on one machine is resumed on the other', async () => {
    const [here, there] = [server.home(), server.home()];
    const owner = (...words: string[]) => runLtm(here, words, signedIn(server, server.owner));
    assert.equal((await owner('teams', 'create', 'pair')).stdout, 'created team pair\n');
    const invite = await owner('invite', '-t', 'pair');
    assert.match(invite.stderr, /^expires: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\n$/m);
    const joined = await runLtm(there, ['join', invite.stdout.trim(), '--display', 'Fay']);
    assert.equal(joined.stdout, `authenticated as Fay\nhost ${server.url}\njoined team pair\n`);
    expectMode(join(there, '.config', 'ltm', 'credentials'), 0o600);
    await runLtm(here, ['push', '-', '-t', 'pair'], {
      ...signedIn(server, server.owner),
      input: packetText({ id: 'handed-over-1' }),
    });
    assert.match((await runLtm(there, ['resume', '--latest', '-t', 'pair'])).stdout, /handed-over-1/);
    assert.match(
      (await owner('teams', 'members', 'pair')).stdout,
      /^DISPLAY +ROLE +JOINED +USER\nowner[\s\S]*\nFay +member /,
    );
    const { members } = JSON.parse((await owner('teams', 'members', 'pair', '--json')).stdout);
    assert.deepEqual(
      members.map(({ display, role, user_id: id }: Record<string, string>) => [display, role, typeof id]),
      [
        ['owner', 'owner', 'string'],
        ['Fay', 'member', 'string'],
      ],
    );
    assert.equal((await runLtm(there, ['teams', 'leave', 'pair'])).stdout, 'left team pair\n');
    assert.equal((await owner('teams', 'rm', 'pair', '--yes')).stdout, 'deleted team pair\n');
  });

  test("join shows no server another server's token, and keeps the old sign-in", async () => {
    const seen: (string | undefined)[] = [];
    const other = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response
        .writeHead(201, { 'content-type': 'application/json' })
        .end('{"user":{"id":"u","display":"Gil"},"team":{"id":"t","name":"elsewhere"},"token":"T2"}');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const home = server.home();
    await runLtm(home, ['auth', server.url, bob.token]);
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const joined = await runLtm(home, ['join', `${url}/v1/invites/${'a'.repeat(48)}`], {
      env: { LTM_TOKEN: bob.token },
    });
    other.close();
    assert.deepEqual([joined.code, seen], [0, [undefined]]);
    const { hosts } = JSON.parse(readFileSync(join(home, '.config', 'ltm', 'credentials'), 'utf8'));
    assert.deepEqual([hosts[server.url].token, hosts[url].token], [bob.token, 'T2']);
    assert.match((await runLtm(home, ['auth', 'whoami'])).stdout, new RegExp(server.url));
  });
});

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openStore } from '../../src/stores/open-store.ts';
import { silentLog } from '../open-test-engine.ts';
import { put } from '../stores/contract/sample-records.ts';
import { type PacketServer, packetText, runLtm, signedIn, startPacketServer } from './packet-server.ts';
import { PLAIN_ENV, PROGRAM } from './program.ts';
import { startServe, writeTokens } from './serve-process.ts';

const JSON_BODY = { 'content-type': 'application/json' };

let server: PacketServer;
let db: string;
before(async () => {
  server = await startPacketServer();
  db = join(server.folder, 'memory.db');
});
after(() => server.close());

const operator = (...words: string[]) => runLtm(server.folder, [...words, '--db', db]);
const isInFiles = (word: string) =>
  ['', '-wal'].some((end) => existsSync(db + end) && readFileSync(db + end).includes(word));

async function joinTeam(name: string, token: string): Promise<void> {
  await server.call('POST', '/v1/teams', { body: { name } });
  const { json } = await server.call('POST', `/v1/teams/${name}/invites`);
  await server.call('POST', `/v1/invites/${json.code}/accept`, { token });
}

async function publish(id: string, token: string, team = ''): Promise<string> {
  const query = team === '' ? '' : `?team=${team}`;
  await server.call('POST', `/v1/packets${query}`, { body: packetText({ id }), token, headers: JSON_BODY });
  const { json } = await server.call('POST', `/v1/packets/${id}/publish${query}`, { token });
  return new URL(json.public_url).pathname;
}

const statusOf = async (page: string) => (await server.call('GET', page, { token: null })).status;

describe('removing a team or a person from a terminal', () => {
  test('wants --yes where nobody can be asked, and changes nothing without it', async () => {
    await operator('users', 'add', 'yan');
    await operator('teams', 'create', 'doomed');
    for (const words of [
      ['teams', 'rm', 'doomed'],
      ['users', 'rm', 'yan'],
      ['users', 'rm', 'yan', '--purge'],
    ]) {
      const { code, stderr } = await operator(...words);
      assert.deepEqual([code, /needs --yes/.test(stderr)], [2, true], words.join(' '));
    }
    assert.match((await operator('users')).stdout, /yan/);
    assert.match((await operator('teams')).stdout, /doomed/);
    assert.equal((await operator('teams', 'rm', 'doomed', '--yes')).code, 0);
    assert.equal((await operator('users', 'rm', 'yan', '-y')).code, 0);
    assert.doesNotMatch((await operator('users')).stdout, /yan/);
  });
});

describe('deleting a team', () => {
  test('that is killed in between is finished by the next command, whatever it is', async () => {
    const home = server.home();
    const own = join(home, 'own.db');
    const ltm = (...words: string[]) => runLtm(home, [...words, '--db', own]);
    let wasBetween = false;
    for (let attempt = 0; attempt < 5 && !wasBetween; attempt++) {
      const name = `crew${attempt}`;
      const made = JSON.parse((await ltm('teams', 'create', name, '--json')).stdout).team.id as string;
      await fill(own, made);
      const database = new DatabaseSync(own);
      const live = () =>
        Number(
          database.prepare('SELECT count(*) AS n FROM records WHERE space_id = ? AND deleted_at IS NULL').get(made)?.n,
        );
      const isThere = () => database.prepare('SELECT 1 FROM teams WHERE id = ?').get(made) !== undefined;
      assert.equal(live(), 3000);
      const child = spawn(process.execPath, [PROGRAM, 'teams', 'rm', name, '--yes', '--db', own], {
        cwd: home,
        env: { ...PLAIN_ENV, HOME: home },
        stdio: 'ignore',
      });
      const ended = once(child, 'exit');
      while (isThere() && child.exitCode === null) await nextTurn();
      child.kill('SIGKILL');
      await ended;
      wasBetween = !isThere() && live() > 0;
      assert.equal((await ltm('list')).code, 0);
      assert.equal(live(), 0);
      database.close();
    }
    assert.ok(wasBetween, 'none of the kills came in between');
  });
});

/** Straight into the team's space: three thousand requests would take a while. */
async function fill(path: string, space: string): Promise<void> {
  const store = await openStore(path, { clock: { now: () => Date.now() }, log: silentLog });
  for (let i = 0; i < 6; i++)
    await store.commit(
      space,
      Array.from({ length: 500 }, (_, j) => put({ content: `memory ${i} ${j}` })),
      'test',
    );
  await store.close();
}

describe('public packets of a person', () => {
  test('lead nowhere while the person is suspended, and are gone when the person is removed', async () => {
    const bob = await server.newcomer('Bob');
    await joinTeam('pages', bob.token);
    const pages = [
      await publish('bob-own-packet-1', bob.token),
      await publish('bob-team-packet-1', bob.token, 'pages'),
    ];
    const other = await publish('owner-packet-1', server.owner);
    const seen = () => Promise.all([...pages, other].map(statusOf));
    assert.deepEqual(await seen(), [200, 200, 200]);
    await operator('users', 'suspend', bob.id);
    assert.deepEqual(await seen(), [404, 404, 200]);
    await operator('users', 'resume', bob.id);
    assert.deepEqual(await seen(), [200, 200, 200]);
    await operator('users', 'rm', bob.id, '--yes');
    assert.deepEqual(await seen(), [404, 404, 200]);
    await operator('users', 'add', bob.id, '--again');
    assert.deepEqual(await seen(), [404, 404, 200]);
  });
});

describe('a person who was removed', () => {
  test('gets no token, by command or request, and is not brought back by asking for one', async () => {
    await operator('users', 'add', 'cyd', '--email', 'cyd@example.org');
    const kept = (await operator('tokens', 'create', 'laptop', '--user', 'cyd')).stdout.trim();
    assert.equal((await server.call('GET', '/api/v1/whoami', { token: kept })).status, 200);
    assert.equal((await server.call('DELETE', '/api/v1/users/cyd')).status, 204);
    assert.equal((await server.call('GET', '/api/v1/whoami', { token: kept })).status, 401);
    for (const flag of [
      ['--user', 'cyd'],
      ['--email', 'cyd@example.org'],
    ]) {
      for (const command of [
        ['tokens', 'create'],
        ['server', 'issue-token'],
      ]) {
        const { code, stdout, stderr } = await operator(...command, 'laptop', ...flag);
        assert.deepEqual([code !== 0, stdout, /was removed/.test(stderr)], [true, '', true], stderr);
      }
    }
    for (const user of ['cyd', 'cyd@example.org']) {
      const body = { name: 'laptop', user };
      const { status, body: text } = await server.call('POST', '/api/v1/tokens', { body, headers: JSON_BODY });
      assert.deepEqual([status, /was removed/.test(text)], [404, true]);
    }
    assert.equal((await server.call('POST', '/api/v1/users', { body: { id: 'cyd' }, headers: JSON_BODY })).status, 409);
    assert.doesNotMatch((await operator('users')).stdout, /cyd/);
  });

  test('is refused although a tokens file still names them', async () => {
    const folder = server.home();
    writeTokens(folder, { 'a-token-of-dan-with-many-letters': 'dan', 'a-token-of-eve-with-many-letters': 'eve' });
    const args = ['--db', join(folder, 'file.db'), '--tokens-file', join(folder, 'user_tokens.json')];
    const other = await startServe(folder, args);
    const ask = async (who: string) =>
      (
        await fetch(`${other.url}/api/v1/whoami`, {
          headers: { authorization: `Bearer a-token-of-${who}-with-many-letters` },
        })
      ).status;
    assert.deepEqual([await ask('dan'), await ask('eve')], [200, 200]);
    const here = (...words: string[]) => runLtm(folder, [...words, '--db', join(folder, 'file.db')]);
    await here('users', 'add', 'dan');
    await here('users', 'rm', 'dan', '--yes');
    assert.deepEqual([await ask('dan'), await ask('eve')], [401, 200]);
    await here('users', 'add', 'dan', '--again');
    assert.equal(await ask('dan'), 200);
    await other.stop();
  });

  test('takes along what they stored with --purge, from every file, and nothing of others', async () => {
    const gil = await server.newcomer('Gil');
    await joinTeam('shared', gil.token);
    const keep = (content: string, token: string, team = '') =>
      server.call('POST', `/api/v1/memories${team === '' ? '' : `?team=${team}`}`, {
        body: { content },
        token,
        headers: JSON_BODY,
      });
    await keep('quokkaown of gil', gil.token);
    await keep('quokkateam of gil', gil.token, 'shared');
    await keep('wombat of the owner', server.owner, 'shared');
    const look = await server.call('DELETE', `/api/v1/users/${gil.id}?purge=true&dry_run=true`);
    assert.deepEqual([look.status, look.json.stored], [200, { own: 1, in_teams: 1 }]);
    assert.ok(isInFiles('quokkaown') && isInFiles('quokkateam'));
    assert.equal((await operator('users', 'rm', gil.id, '--yes')).code, 0);
    assert.ok(isInFiles('quokkaown') && isInFiles('quokkateam'));
    const far = await runLtm(
      server.home(),
      ['users', 'rm', gil.id, '--purge', '--yes', '--json'],
      signedIn(server, server.owner),
    );
    assert.deepEqual(JSON.parse(far.stdout).purged, { own: 1, in_teams: 1 });
    assert.ok(!isInFiles('quokkaown') && !isInFiles('quokkateam'));
    const found = (await server.call('GET', '/api/v1/search?q=wombat&team=shared')).json.hits;
    assert.equal(found.length, 1);
  });
});

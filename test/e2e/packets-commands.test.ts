import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type PacketServer, packetText, type Ran, runLtm, signedIn, startPacketServer } from './packet-server.ts';

let server: PacketServer;
let home: string;
before(async () => {
  server = await startPacketServer();
  home = server.home();
  await server.call('POST', '/v1/packets', { body: JSON.stringify(FULL) });
});
after(() => server.close());

function ltm(...words: string[]): Promise<Ran> {
  return runLtm(home, words, signedIn(server, server.owner));
}

/** The one line that says which server was used. */
function where(): string {
  return `On ${server.url}\n`;
}

function pushText(body: string, ...flags: string[]): Promise<Ran> {
  return runLtm(home, ['push', '-', ...flags], { ...signedIn(server, server.owner), input: body });
}

const FULL = {
  ltm_version: '0.2',
  id: 'full-packet-0001',
  parent_id: 'older-packet-001',
  created_at: '2026-01-31T10:30:00.5+01:00',
  project: { name: 'web', ref: 'main' },
  goal: 'Make it fast.',
  constraints: ['No new server.'],
  decisions: [
    { what: 'Keep SQL.', why: 'It works.', locked: true },
    { what: 'Try caching.', why: 'Cheap.' },
  ],
  attempts: [
    { tried: 'An index.', outcome: 'failed', learned: 'Wrong column.' },
    { tried: 'A view.', outcome: 'succeeded' },
  ],
  open_questions: ['How often?'],
  next_step: 'Measure.',
  tags: ['speed'],
};

describe('the packet commands against a server', () => {
  test('L19 and L20: push and save print the id alone, pull gives the stored packet and a newline', async () => {
    const file = join(home, 'packet.json');
    writeFileSync(file, packetText());
    const saved = await ltm('save', file);
    assert.deepEqual([saved.code, saved.stdout, saved.stderr], [0, '01TESTPACKET0000000000000A\n', where()]);
    assert.equal((await pushText(packetText())).stdout, '01TESTPACKET0000000000000A\n');
    const { stdout } = await ltm('pull', '01TESTPACKET0000000000000A');
    assert.equal(stdout, `${(await server.call('GET', '/v1/packets/01TESTPACKET0000000000000A')).body}\n`);
  });

  test('L21: ls shows a table, cuts goals between characters, and gives the answer as it came', async () => {
    await pushText(packetText({ id: 'long-goal-packet', goal: '👩‍👩‍👧‍👦'.repeat(100) }));
    const { stdout } = await ltm('ls', '--limit', '2');
    assert.equal(
      stdout,
      `ID                          CREATED               GOAL
long-goal-packet            2026-01-31T09:30:00Z  ${'👩‍👩‍👧‍👦'.repeat(72)}…
01TESTPACKET0000000000000A  2026-01-31T09:30:00Z  Make the login page load in under a second.
`,
    );
    assert.equal(
      (await ltm('ls', '--json', '--limit', '1')).stdout,
      (await server.call('GET', '/v1/packets?limit=1')).body,
    );
    assert.equal((await ltm('ls', '--limit', 'abc')).code, 2);
  });

  test('L22: limits that are none mean fifty', async () => {
    for (let i = 0; i < 60; i++)
      await server.call('POST', '/v1/packets', { body: packetText({ id: `counted-packet-${i}`, tags: ['counted'] }) });
    for (const limit of ['abc', '0', '-1', '501', '1.5', '1e1', '0x10'])
      assert.equal((await server.call('GET', `/v1/packets?limit=${limit}`)).json.packets.length, 50, limit);
    const { json } = await server.call('GET', '/v1/packets?tag=counted&limit=40');
    assert.equal((await server.call('GET', `/v1/packets?tag=counted&cursor=${json.cursor}`)).json.packets.length, 20);
  });

  test('L23: show lays a packet out, and says where it is published', async () => {
    const plain = await ltm('show', FULL.id);
    const golden = `ID         full-packet-0001
Created    2026-01-31T09:30:00Z
Spec       v0.2
Project    web (main)
Tags       speed

Goal
  Make it fast.

Constraints
  - No new server.

Decisions
  - Keep SQL. [locked]
    why: It works.
  - Try caching.
    why: Cheap.

Attempts
  - [failed] An index.
    learned: Wrong column.
  - [succeeded] A view.

Open questions
  - How often?

Next step
  Measure.
`;
    assert.equal(plain.stdout, golden);
    const url = (await ltm('publish', FULL.id)).stdout.trim();
    assert.match((await ltm('show', FULL.id)).stdout, new RegExp(`^Published {2}\\d{4}-\\S+Z {2}${url}$`, 'm'));
    assert.equal((await ltm('unpublish', FULL.id)).stdout, `unpublished ${FULL.id}\n`);
    assert.equal((await ltm('show', FULL.id)).stdout, golden);
  });

  test('L24 and L25: resume with an id goes to stdout; where there is no clipboard it says so and still does', async () => {
    const { stdout, stderr } = await ltm('resume', FULL.id);
    assert.equal(stderr, where());
    const sections = [...stdout.matchAll(/^## (.*)$/gm)].map((match) => match[1]);
    assert.deepEqual(sections, [
      'Goal',
      'Locked decisions (do not revisit)',
      'Prior attempts (do not retry without new information)',
      'Your first action',
      'Constraints',
      'Attempts that worked',
      'Tentative decisions (can be revisited with cause)',
      'Open questions',
      'Project',
      'Reminder',
    ]);
    assert.match(stdout, /Continues: older-packet-001\nCreated: {3}2026-01-31T09:30:00Z\nTags: {6}speed\n$/);
    const nowhere = { ...signedIn(server, server.owner).env, PATH: server.home() };
    const copied = await runLtm(home, ['resume', FULL.id, '--copy'], { env: nowhere });
    assert.deepEqual([copied.code, copied.stdout, /warning: .*clipboard/.test(copied.stderr)], [0, stdout, true]);
    assert.equal((await ltm('resume', FULL.id, '--copy', '--no-copy')).stderr, where());
    const unasked = await ltm('resume');
    assert.deepEqual([unasked.code === 0, unasked.stdout], [false, '']);
  });

  test('L25: a clipboard gets the block, and the person a line with its length', {
    skip: process.platform === 'win32' && 'no script can stand in for the clip.exe of Windows',
  }, async () => {
    const bin = server.home();
    const copies = `require('node:fs').writeFileSync(${JSON.stringify(join(bin, 'copied'))}, require('node:fs').readFileSync(0))`;
    const name = process.platform === 'darwin' ? 'pbcopy' : 'wl-copy';
    writeFileSync(join(bin, name), `#!${process.execPath}\n${copies}\n`, { mode: 0o755 });
    const env = { ...signedIn(server, server.owner).env, WAYLAND_DISPLAY: 'x', PATH: bin };
    const { stdout, stderr } = await runLtm(home, ['resume', FULL.id, '--copy'], { env });
    const copied = readFileSync(join(bin, 'copied'), 'utf8');
    assert.match(copied, /^# Resume context/);
    assert.deepEqual(
      [stdout, stderr],
      ['', `${where()}Copied ${[...copied].length} characters of packet …ket-0001 to the clipboard.\n`],
    );
  });

  test('resume --latest takes the last of the project, and folds in what earlier packets settled', async () => {
    await pushText(
      packetText({
        id: 'older-packet-001',
        project: { name: 'web' },
        decisions: [{ what: 'Never on Fridays.', why: 'Sleep.', locked: true }],
      }),
    );
    await pushText(JSON.stringify({ ...FULL, id: 'newest-packet-01' }));
    const { stdout } = await ltm('resume', '--latest', '--project', 'web', '--with-ancestors');
    assert.match(stdout, /Never on Fridays\.\n {2}Rationale: Sleep\. \(decided in older-packet-001\)/);
    assert.match(stdout, /Packet: {4}newest-packet-01/);
    const elsewhere = await ltm('resume', '--latest');
    assert.deepEqual(
      [elsewhere.code, elsewhere.stdout, /of "web"/.test(elsewhere.stderr)],
      [3, '', true],
      "another project's packet is not taken",
    );
    const log = await ltm('log', 'newest-packet-01');
    assert.deepEqual(log.stdout.match(/^\S+/gm), ['ID', 'newest-packet-01', 'older-packet-001']);
    assert.match(
      (await ltm('diff', 'newest-packet-01', 'older-packet-001')).stdout,
      /^goal\n- Make it fast\.\n\+ Make the login page/m,
    );
    assert.match(
      (await ltm('search', 'Fridays', '--kind', 'packet')).stdout,
      /packet older-packet-001 decisions\[0\]/,
      'search looks where the packets are',
    );
  });

  test('L26: the example is valid and needs no network', async () => {
    const offline = { env: { LTM_HOST: 'http://127.0.0.1:9' } };
    const { stdout } = await runLtm(home, ['example'], offline);
    assert.equal((await pushText(stdout)).code, 0);
    assert.match(
      (await runLtm(home, ['example', '--resume', '--no-copy'], offline)).stdout,
      /^# Resume context[\s\S]*## Reminder/,
    );
  });

  test('L27: rm deletes once', async () => {
    await pushText(packetText({ id: 'to-be-removed' }));
    assert.equal((await ltm('rm', 'to-be-removed')).stdout, 'deleted to-be-removed\n');
    const again = await ltm('rm', 'to-be-removed');
    assert.deepEqual(
      [again.code === 0, again.stdout, /server returned 404: not found/.test(again.stderr)],
      [false, '', true],
    );
  });

  test('an id stays an id: no path, no query', async () => {
    await server.call('POST', '/v1/teams', { body: { name: 'x' } });
    const id = '../teams/x/../../x';
    assert.notEqual((await ltm('rm', id)).code, 0);
    assert.notEqual((await ltm('pull', '../teams')).code, 0);
    assert.equal((await server.call('GET', '/v1/teams/x/members')).status, 200);
    await pushText(packetText({ id }));
    assert.equal(JSON.parse((await ltm('pull', id)).stdout).id, id);
  });
});

describe('the packet commands without a server', () => {
  test('use the database of this machine, which search and the server share', async () => {
    const alone = server.home();
    const run = (...words: string[]) => runLtm(alone, words);
    const saved = await runLtm(alone, ['save'], { input: JSON.stringify(FULL) });
    assert.equal(saved.stdout, `${FULL.id}\n`);
    assert.match((await run('ls', '--search', 'wrong column index')).stdout, /full-packet-0001/);
    const none = await run('ls', '--search', 'zzzqqq');
    assert.match(none.stderr, /No packet fits\. `ltm ls` shows all of them; `ltm search "zzzqqq"`/);
    assert.match((await run('search', 'caching', '--kind', 'packet')).stdout, /packet full-packet-0001 decisions\[1\]/);
    assert.equal((await run('teams', 'create', 'crew')).stdout, 'created team crew\n');
    assert.match((await run('teams')).stdout, /^NAME +CREATED +OWNER\ncrew /);
    assert.equal((await run('rm', FULL.id)).stdout, `deleted ${FULL.id}\n`);
    assert.match((await run('update', '--check')).stdout, /npm install/);
  });

  test('say the same as on a server, with the same exit codes', async () => {
    const older = packetText({ id: 'older-packet-001' });
    const somebody = signedIn(server, (await server.newcomer('Robin')).token);
    const [near, far] = [server.home(), server.home()];
    for (const [at, options] of [
      [near, {}],
      [far, somebody],
    ] as const)
      for (const input of [older, JSON.stringify(FULL)])
        assert.equal((await runLtm(at, ['push', '-'], { ...options, input })).code, 0);
    for (const words of [
      ['show', FULL.id],
      ['log', FULL.id, '--json'],
      ['diff', FULL.id, 'older-packet-001'],
      ['resume', FULL.id, '--with-ancestors'],
      ['ls', '--limit', '2', '--json', '--project', 'web', '--tag', 'speed', '--search', 'wrong column'],
      ['pull', 'no-such-packet'],
      ['pull', FULL.id, '--team', 'no such team'],
      ['rm', FULL.id, '--json'],
      ['rm', FULL.id],
    ]) {
      const [here, there] = await Promise.all([runLtm(near, words), runLtm(far, words, somebody)]);
      assert.deepEqual([here.code, here.stdout], [there.code, there.stdout], words.join(' '));
    }
    const lenient = await runLtm(near, ['push', '-', '--lenient'], { input: '{}' });
    assert.deepEqual([lenient.code, lenient.stdout], [2, '']);
    assert.match(lenient.stderr, /^error: missing required field 'ltm_version'/m);
    assert.match((await runLtm(near, ['publish', 'older-packet-001'])).stdout, /^http:\/\/127\.0\.0\.1:8000\/p\//);
  });
});

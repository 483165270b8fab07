import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, beforeEach, describe, test } from 'node:test';
import { packetText, type Ran, runLtm } from './packet-server.ts';

/** Takes everything, and remembers what it was asked. */
let stub: Server;
let home: string;
let received: { path: string; body: string }[] = [];
before(async () => {
  home = mkdtempSync(join(tmpdir(), 'ltm-redaction-'));
  stub = createServer(async (request, response) => {
    received.push({ path: request.url ?? '', body: await text(request) });
    response.writeHead(201, { 'content-type': 'application/json' }).end('{"id":"taken"}');
  });
  await new Promise<void>((resolve) => stub.listen(0, '127.0.0.1', resolve));
});
beforeEach(() => {
  received = [];
});
after(() => {
  stub.close();
  rmSync(home, { recursive: true, force: true });
});

function push(more: Record<string, unknown>, ...flags: string[]): Promise<Ran> {
  const { port } = stub.address() as AddressInfo;
  const env = { LTM_HOST: `http://127.0.0.1:${port}`, LTM_TOKEN: 'x' };
  return runLtm(home, ['push', '-', ...flags], { input: packetText(more), env });
}

const AWS = 'AKIAIOSFODNN7EXAMPLA';
const GITHUB = `ghp_${'a1B2'.repeat(9)}`;

/** One of each kind, each in a field of its own; put together here, so that no scanner takes this file for a leak. */
const POSITIVES: Record<string, unknown> = {
  goal: 'Look into /home/robin/work/app.ts first.',
  next_step: 'Open C:\\Users\\robin\\notes.txt and go on.',
  success_criteria: [`No ${AWS} in the log.`],
  constraints: [`Never print ${GITHUB}.`],
  decisions: [
    {
      what: `Tokens look like eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTYifQ.${'c2lnbmF0dXJl'.repeat(3)}`,
      why: '-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA',
    },
    {
      what: 'x',
      why: `AIza${'Sy0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6'.slice(0, 35)}`,
      consequences: `xox${'b'}-1234567890-abcdefghij`,
    },
  ],
  methods: [
    {
      name: 'm',
      when_applicable: `sk_${'live'}_${'4eC39HqLyjWDarjtT1zdp7dc'}`,
      how: `ssh-ed25519 AAAA${'C3NzaC1lZDI1NTE5AAAAIHx'.repeat(2)}`,
    },
  ],
  attempts: [{ tried: `whsec_${'a1b2'.repeat(8)}`, outcome: 'failed', learned: 'cd /etc/nginx/sites' }],
  open_questions: ['Why is it under /var/lib/app?'],
};

describe('ltm push looks for secrets before it sends', () => {
  test('L14 finds every kind in every field, and no request is made', async () => {
    const { code, stdout, stderr } = await push(POSITIVES);
    const wanted = [
      'goal/abs-path',
      'next_step/abs-path',
      'success_criteria[0]/aws-key',
      'constraints[0]/gh-token',
      'decisions[0].what/jwt',
      'decisions[0].why/private-key',
      'decisions[1].why/google-api-key',
      'decisions[1].consequences/slack-token',
      'methods[0].when_applicable/stripe-key',
      'methods[0].how/ssh-public-key',
      'attempts[0].tried/stripe-key',
      'attempts[0].learned/abs-path',
      'open_questions[0]/abs-path',
    ];
    for (const name of wanted) assert.ok(stderr.includes(`  - ${name}: `), `${name} is not in\n${stderr}`);
    assert.match(stderr, /--allow-unredacted[\s\S]*error: redaction failed\n$/);
    assert.deepEqual([code, stdout, received], [1, '', []]);
    for (const secret of [AWS, GITHUB, 'MIIEowIBAAKCAQEA'])
      assert.ok(!stderr.includes(secret), 'a whole secret is shown');
  });

  test('L15 lets through what only looks alike', async () => {
    const { code, stdout } = await push({
      goal: 'See src/home/x and v1.2.3 at https://example.com.',
      constraints: [
        'The publishable key pk_live_abcdefghijklmnopqrstuvwx may be shown.',
        'project-C:later',
        'commit deadbeef',
      ],
      next_step: `Not tokens: ghp_${'a'.repeat(35)}, whsec_${'a'.repeat(31)}.`,
    });
    assert.deepEqual([code, stdout, received.length], [0, 'taken\n', 1]);
  });

  test('L16 names a kind once a field, and every kind of it', async () => {
    const { stderr } = await push({ goal: `${AWS} and ${AWS.slice(0, -1)}B in /home/robin/x with ${GITHUB}` });
    assert.equal(stderr.match(/^ {2}- goal\//gm)?.length, 3);
    assert.equal(stderr.match(/goal\/aws-key/g)?.length, 1);
  });

  test('L17 cuts what it shows, and masks keys', async () => {
    const { stderr } = await push({
      goal: `/home/robin/${'a'.repeat(60)}`,
      next_step: '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk',
    });
    const [, shown] = /goal\/abs-path: (.*)/.exec(stderr) ?? [];
    assert.match(shown ?? '', /…$/);
    assert.ok((shown ?? '').length <= 33);
    assert.doesNotMatch(stderr, /b3BlbnNzaC1rZXk/);
  });

  test('L18 sends it when the person says so: all, or exactly what was found', async () => {
    const secret = { goal: `Rotate ${AWS}.` };
    assert.equal((await push(secret, '--allow-unredacted')).stdout, 'taken\n');
    assert.equal((await push(secret, '--allow-unredacted=goal/gh-token')).code, 1);
    assert.equal((await push(secret, '--allow-unredacted=goal/aws-key')).code, 0);
    assert.deepEqual(
      received.map(({ path }) => path),
      ['/v1/packets?allow_unredacted=true', '/v1/packets?allow_unredacted=goal%2Faws-key'],
    );
    assert.equal(received[0]?.body, packetText(secret));
  });

  test('--lenient sends what is no packet, but never a secret', async () => {
    const refused = await push({ goal: `Rotate ${AWS}.`, unknown_field: 1 }, '--lenient');
    assert.deepEqual([refused.code, received.length], [1, 0]);
    const hidden = await push({ [`key ${AWS}`]: 1 }, '--lenient');
    assert.deepEqual([hidden.code, received.length], [1, 0]);
    assert.equal((await push({ unknown_field: 1 })).code, 1);
    assert.match((await push({ unknown_field: 1 }, '--lenient')).stderr, /warning: this is not a valid packet/);
    assert.equal(received.length, 1);
  });
});

describe('ltm mcp for a server looks for secrets before it sends', () => {
  function callSave(id: number | undefined, args: object): string {
    return `${JSON.stringify({ jsonrpc: '2.0', ...(id !== undefined && { id }), method: 'tools/call', params: { name: 'save', arguments: args } })}\n`;
  }

  async function say(lines: string): Promise<Ran> {
    const { port } = stub.address() as AddressInfo;
    return runLtm(home, ['mcp', '--tools', 'packets'], {
      input: lines,
      env: { LTM_HOST: `http://127.0.0.1:${port}`, LTM_TOKEN: 'x' },
    });
  }

  test('a packet with a secret is refused here, with the words of the server, and no request is made', async () => {
    const packet = { goal: `Rotate ${AWS}.`, next_step: 'n' };
    const { stdout } = await say(
      callSave(1, { packet }) + callSave(undefined, { packet }) + callSave(2, { packet: JSON.stringify(packet) }),
    );
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      answers.map(({ id, result }) => [id, result.isError]),
      [
        [1, true],
        [2, true],
      ],
    );
    assert.match(
      answers[0].result.content[0].text,
      /^error: redaction failed[\s\S]* - goal\/aws-key: AKIA\*+[\s\S]*allow_unredacted=true/,
    );
    assert.deepEqual(received, []);
  });

  test('what may be read, or is allowed, is sent', async () => {
    await say(callSave(1, { packet: { goal: 'g', next_step: 'n' } }));
    await say(callSave(1, { packet: { goal: AWS, next_step: 'n' }, allow_unredacted: true }));
    assert.equal(received.filter(({ path, body }) => path.startsWith('/mcp') && body.includes('"save"')).length, 2);
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type PacketServer, packetText, runLtm, startPacketServer } from './packet-server.ts';

let server: PacketServer;
before(async () => {
  server = await startPacketServer();
});
after(() => server.close());

async function push(body: string | Uint8Array<ArrayBuffer>): Promise<{ status: number; error: string; id: string }> {
  const { status, json } = await server.call('POST', '/v1/packets', { body });
  return { status, error: json.error ?? '', id: json.id };
}

async function statusOf(more: Record<string, unknown>): Promise<number> {
  return (await push(packetText(more))).status;
}

describe('the packet format over HTTP', () => {
  test('L1 takes the least of both versions and says the id', async () => {
    for (const ltm_version of ['0.1', '0.2']) {
      const id = `minimal-packet-${ltm_version}`;
      assert.deepEqual(await push(packetText({ ltm_version, id })), { status: 201, error: '', id });
    }
  });

  test('L2 misses each of the five required fields', async () => {
    for (const field of ['ltm_version', 'id', 'created_at', 'goal', 'next_step']) {
      const { status, error } = await push(packetText({ [field]: undefined }));
      assert.equal(status, 400);
      assert.match(error, new RegExp(field));
    }
  });

  test('L3 and L4 tell an unsupported version from a missing one', async () => {
    for (const ltm_version of ['0.3', 'v0.2', '0.2.0', ' 0.2', '1.0', '0'])
      assert.match((await push(packetText({ ltm_version }))).error, /unsupported.*0\.1, 0\.2/);
    for (const ltm_version of [2, null, [], ''])
      assert.match((await push(packetText({ ltm_version }))).error, /missing required field 'ltm_version'/);
  });

  test('L5 and L6 refuse what a version does not know, at any depth', async () => {
    assert.match(
      (await push(packetText({ ltm_version: '0.1', parent_id: 'parent-packet' }))).error,
      /additional.*parent_id|parent_id.*additional/is,
    );
    for (const more of [
      { extra: 1 },
      { project: { extra: 1 } },
      { decisions: [{ what: '', why: '', extra: 1 }] },
      { provenance: { extra: 1 } },
    ])
      assert.equal(await statusOf(more), 400);
  });

  test('L7 counts bytes as they come, and never says 413', async () => {
    const packet = packetText();
    assert.equal((await push(packet + ' '.repeat(32_768 - packet.length))).status, 201);
    assert.match((await push(packet + ' '.repeat(32_769 - packet.length))).error, /32769 bytes/);
    const huge = await push(' '.repeat(3 << 20) + packet);
    assert.deepEqual([huge.status, /33792 bytes/.test(huge.error)], [400, true]);
  });

  test('L7 takes what is not too large as it came, whatever the canonical form makes of it, at every door', async () => {
    const longest = (id: string, size: number): string => {
      const packet = packetText({ id, constraints: Array.from({ length: 30 }, () => '<'.repeat(1024)) });
      return packet + ' '.repeat(size - packet.length);
    };
    assert.equal((await push(longest('large-by-rest', 32_768))).status, 201);
    assert.match((await push(longest('large-by-rest', 32_769))).error, /packet too large: 32769 bytes/);
    const home = server.home();
    const env = { LTM_SERVER: server.url, LTM_TOKEN: server.owner };
    for (const where of [env, {}] as Record<string, string>[]) {
      const sent = await runLtm(home, ['push', '-'], { input: longest('large-by-file', 32_768), env: where });
      assert.deepEqual([sent.code, sent.stdout.trim()], [0, 'large-by-file'], sent.stderr);
      const refused = await runLtm(home, ['push', '-'], { input: longest('large-by-file', 32_769), env: where });
      assert.match(refused.stderr, /packet too large: 32769 bytes/);
      const resumed = await runLtm(home, ['resume', 'large-by-file'], { env: where });
      assert.ok(resumed.stdout.includes('<'.repeat(1024)), resumed.stderr);
    }
    const call = async (name: string, packet: unknown) => {
      const params = { name, arguments: { packet } };
      const { body } = await server.call('POST', '/mcp', {
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2025-06-18',
        },
      });
      return (JSON.parse(/^data: (.*)$/m.exec(body)?.[1] ?? body) as { result: { content: [{ text: string }] } }).result
        .content[0].text;
    };
    assert.equal(await call('push', longest('large-by-text', 32_768)), 'large-by-text');
    assert.match(await call('push', longest('large-by-text', 32_769)), /packet too large: 32769 bytes/);
    const draft = (size: number) => {
      const said = { goal: 'g', next_step: 'n', constraints: Array.from({ length: 31 }, () => '<'.repeat(1024)) };
      const missing = size - JSON.stringify({ ...said, open_questions: [''] }).length;
      return { ...said, open_questions: ['<'.repeat(missing)] };
    };
    assert.doesNotMatch(await call('save', draft(32_768)), /error/);
    assert.match(await call('save', draft(32_769)), /packet too large: 32769 bytes/);
  });

  test('L8 counts characters, not units', async () => {
    assert.equal(await statusOf({ goal: '🦭'.repeat(1024) }), 201);
    assert.equal(await statusOf({ goal: '🦭'.repeat(1025) }), 400);
    assert.equal(await statusOf({ goal: '' }), 400);
  });

  test('L9 holds the longest lists and nothing longer', async () => {
    const attempt = { tried: 'x', outcome: 'failed' };
    const most: [string, number, unknown][] = [
      ['success_criteria', 16, 'x'],
      ['constraints', 32, 'x'],
      ['decisions', 64, { what: 'x', why: 'y' }],
      ['methods', 32, { name: 'm', when_applicable: 'x', how: 'y' }],
      ['attempts', 64, attempt],
      ['open_questions', 32, 'x'],
      ['tags', 16, 'tag'],
    ];
    for (const [field, count, item] of most) {
      assert.equal(await statusOf({ [field]: Array(count).fill(item) }), 201, field);
      assert.equal(await statusOf({ [field]: Array(count + 1).fill(item) }), 400, field);
    }
  });

  test('L10 and L11 know the words and patterns', async () => {
    for (const outcome of ['FAILED', '', 'done'])
      assert.equal(await statusOf({ attempts: [{ tried: 'x', outcome }] }), 400);
    for (const confidence of ['HIGH', '']) assert.equal(await statusOf({ provenance: { confidence } }), 400);
    const method = (name: string) => ({ methods: [{ name, when_applicable: '', how: '' }] });
    for (const name of ['0start', 'a', 'x'.repeat(128)]) assert.equal(await statusOf(method(name)), 201, name);
    for (const name of ['Upper', 'under_score', '-lead', 'é', '', 'x'.repeat(129)])
      assert.equal(await statusOf(method(name)), 400, name);
    for (const tag of ['0a', 'x'.repeat(32)]) assert.equal(await statusOf({ tags: [tag] }), 201, tag);
    for (const tag of ['A', 'a_b', '-a', 'é', '', 'x'.repeat(33)])
      assert.equal(await statusOf({ tags: [tag] }), 400, tag);
  });

  test('L12 takes RFC 3339 times and no others; an absurd offset is no server error', async () => {
    for (const created_at of [
      'yesterday',
      '2026-02-30T00:00:00Z',
      '2026-01-01t00:00:00z',
      '2026-01-01T00:00:00+24:00',
      '2026-01-01T00:00:00',
      12,
    ])
      assert.equal(await statusOf({ created_at }), 400, String(created_at));
  });

  test('L13 stores the canonical form, byte for byte', async () => {
    const scrambled = `{"next_step":"Go <on> & on","goal":"G\\u2028","tags":[],"decisions":[{"locked":false,"why":"","what":"W","consequences":""}],
      "project":{},"id":"canonical-packet","created_at":"2026-01-31T09:30:00.1200+00:00","ltm_version":"0.2","constraints":["",""]}`;
    assert.equal((await push(scrambled)).status, 201);
    const { body, headers } = await server.call('GET', '/v1/packets/canonical-packet');
    assert.equal(
      body,
      `{
  "ltm_version": "0.2",
  "id": "canonical-packet",
  "created_at": "2026-01-31T09:30:00.12Z",
  "project": {},
  "goal": "G\\u2028",
  "constraints": [
    "",
    ""
  ],
  "decisions": [
    {
      "what": "W",
      "why": ""
    }
  ],
  "next_step": "Go \\u003con\\u003e \\u0026 on"
}`,
    );
    assert.equal(headers.get('content-type'), 'application/json');
  });

  test('a repeated key smuggles nothing in', async () => {
    const packet = packetText({ id: 'repeated-keys-1' }).replace(
      /}$/,
      `,"project":{"name":"${'x'.repeat(200)}"},"project":{"ref":"r"}}`,
    );
    assert.equal((await push(packet)).status, 201);
    assert.deepEqual((await server.call('GET', '/v1/packets/repeated-keys-1')).json.project, { ref: 'r' });
  });

  test('ids may hold what they like, encoded', async () => {
    const id = 'a/b?c#d %2F 🦭 ../x';
    assert.equal((await push(packetText({ id }))).id, id);
    assert.equal((await server.call('GET', `/v1/packets/${encodeURIComponent(id)}`)).json.id, id);
    assert.equal((await server.call('DELETE', `/v1/packets/${encodeURIComponent(id)}`)).status, 204);
  });

  test('the schemas are published where packets say they are', async () => {
    for (const version of ['0.1', '0.2']) {
      const { status, json } = await server.call('GET', `/schema/core-memory.v${version}.json`, { token: null });
      assert.equal(status, 200);
      assert.match(json.$id, new RegExp(`/schema/core-memory\\.v${version.replace('.', '\\.')}\\.json$`));
    }
  });
});

describe('the packet API', () => {
  test('L28 says 401 in three words', async () => {
    const error = async (authorization?: string) =>
      (
        await server.call('GET', '/v1/packets', {
          token: null,
          ...(authorization !== undefined && { headers: { authorization } }),
        })
      ).json.error;
    assert.equal(await error(), 'missing bearer token');
    assert.equal(await error(`bearer ${server.owner}`), 'missing bearer token');
    assert.equal(await error('Bearer wrong'), 'invalid token');
    assert.equal(await error(`Bearer  ${server.owner}`), 'invalid token');
  });

  test('L29 is alive without a token, even with a wrong one', async () => {
    for (const token of [null, 'wrong'])
      assert.equal(
        (await server.call('GET', '/v1/healthz', { token })).body,
        '{\n  "ok": true,\n  "version": "0.2"\n}\n',
      );
  });

  test('answers unknown paths and methods in plain text, and HEAD like GET', async () => {
    const missing = await server.call('GET', '/v1/nothing', { token: null });
    assert.deepEqual([missing.status, missing.headers.get('content-type')], [404, 'text/plain; charset=utf-8']);
    const wrong = await server.call('PUT', '/v1/packets', { token: null });
    assert.deepEqual([wrong.status, wrong.headers.get('allow')], [405, 'GET, HEAD, POST']);
    const head = await server.call('HEAD', '/v1/healthz', { token: null });
    assert.deepEqual([head.status, head.body], [200, '']);
  });

  test('L27 deletes softly and takes a packet back', async () => {
    const path = '/v1/packets/soft-deleted-1';
    await push(packetText({ id: 'soft-deleted-1' }));
    const steps = [
      await server.call('DELETE', path),
      await server.call('GET', path),
      await server.call('DELETE', path),
    ];
    assert.deepEqual(
      steps.map(({ status }) => status),
      [204, 404, 404],
    );
    assert.equal(steps[1]!.body, '{\n  "error": "not found"\n}\n');
    await push(packetText({ id: 'soft-deleted-1', goal: 'Another goal.' }));
    assert.equal((await server.call('GET', path)).json.goal, 'Another goal.');
    assert.equal((await server.call('GET', '/v1/packets?limit=1')).json.packets[0].goal, 'Another goal.');
  });

  test('looks for secrets again, whatever the client says it did', async () => {
    const body = packetText({ id: 'secret-packet-1', goal: 'Use ghp_0123456789abcdefghijABCDEFGHIJ012345 here.' });
    const refused = await server.call('POST', '/v1/packets', { body });
    assert.equal(refused.status, 400);
    assert.match(refused.json.error, /^redaction failed\n {2}- goal\/gh-token: /);
    assert.doesNotMatch(refused.body, /ghp_0123456789abcdefghijABCDEFGHIJ012345/);
    assert.equal((await server.call('POST', '/v1/packets?allow_unredacted=goal/aws-key', { body })).status, 400);
    assert.equal((await server.call('POST', '/v1/packets?allow_unredacted=goal/gh-token', { body })).status, 201);
  });
});

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type PacketServer, packetText, runLtm, signedIn, startPacketServer } from './packet-server.ts';

const JSON_BODY = { 'content-type': 'application/json' };

let server: PacketServer;
before(async () => {
  server = await startPacketServer();
});
after(() => server.close());

const isInFiles = (file: string, word: string) =>
  ['', '-wal'].some((end) => existsSync(file + end) && readFileSync(file + end).includes(word));

describe('ltm purge on the database of this machine', () => {
  test('removes what it names, without a terminal only with --yes, and leaves no word of it', async () => {
    const home = server.home();
    const db = join(home, 'own.db');
    const ltm = (...words: string[]) => runLtm(home, [...words, '--db', db]);
    const stored = JSON.parse((await ltm('store', 'the zyzzyvapurge password', '--json')).stdout);
    await ltm('store', 'another');
    assert.ok(isInFiles(db, 'zyzzyvapurge'));
    const refused = await ltm('purge', stored.memory.id);
    assert.deepEqual([refused.code, /needs --yes/.test(refused.stderr)], [2, true]);
    const look = await ltm('purge', stored.memory.id, '--dry-run');
    assert.match(look.stdout, /zyzzyvapurge/);
    assert.ok(isInFiles(db, 'zyzzyvapurge'));
    const done = JSON.parse((await ltm('purge', stored.memory.id, '--yes', '--json')).stdout);
    assert.deepEqual([done.outcome, done.count, done.purged], ['purged', 1, [stored.memory.id]]);
    assert.ok(!isInFiles(db, 'zyzzyvapurge'));
    assert.equal((await ltm('purge', stored.memory.id, '--yes')).code, 3);
    assert.equal((await ltm('purge', '--source', 'door:cli', '--yes')).code, 0);
    assert.equal(JSON.parse((await ltm('list', '--json')).stdout).total, 0);
  });
});

describe('ltm purge on a server', () => {
  test('needs a token with the scope admin, and does the same there', async () => {
    const home = server.home();
    const id = (await server.call('POST', '/api/v1/memories', { body: { content: 'far away' }, headers: JSON_BODY }))
      .json.memory.id;
    const weak = (
      await server.call('POST', '/api/v1/tokens', {
        body: { name: 'weak', scopes: ['read', 'write'] },
        headers: JSON_BODY,
      })
    ).json.value;
    const refused = await runLtm(home, ['purge', id, '--yes'], signedIn(server, weak));
    assert.match(refused.stderr, /scope "admin"/);
    const done = await runLtm(home, ['purge', id, '--yes', '--json'], signedIn(server, server.owner));
    assert.equal(JSON.parse(done.stdout).count, 1);
  });

  test('removes the page of a packet that was published, with its link', async () => {
    const { json } = await server.call('POST', '/v1/packets', { body: packetText(), headers: JSON_BODY });
    const { json: published } = await server.call('POST', `/v1/packets/${json.id}/publish`);
    const page = new URL(published.public_url).pathname;
    assert.equal((await server.call('GET', page, { token: null })).status, 200);
    const body = { source: 'rest', dry_run: true };
    const look = (await server.call('POST', '/api/v1/memories/purge', { body, headers: JSON_BODY })).json;
    assert.deepEqual([look.outcome, look.count], ['would_purge', 1]);
    await server.call('POST', '/api/v1/memories/purge', { body: { source: 'rest' }, headers: JSON_BODY });
    assert.equal((await server.call('GET', page, { token: null })).status, 404);
    assert.equal((await server.call('GET', `/v1/packets/${json.id}`)).status, 404);
  });

  test('says what is to be purged in one way', async () => {
    for (const body of [
      {},
      { ids: ['x'], expired: true },
      { source: 'a', expired: true },
      { ids: ['x'], session: 's' },
    ])
      assert.equal(
        (await server.call('POST', '/api/v1/memories/purge', { body, headers: JSON_BODY })).status,
        400,
        JSON.stringify(body),
      );
  });

  test('is no tool: agents cannot purge', async () => {
    for (const family of ['core', 'service', 'networked', 'packets']) {
      const { body } = await server.call('POST', `/mcp?tools=${family}`, {
        headers: { ...JSON_BODY, accept: 'application/json, text/event-stream' },
        body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      });
      assert.doesNotMatch(body, /"[a-z_]*purge[a-z_]*"/i, family);
    }
  });
});

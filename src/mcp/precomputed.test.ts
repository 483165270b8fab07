import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computeAnswers, LEGACY_VERSIONS } from '../../test/conformance/compute-answers.ts';
import type { Message } from '../model/json-rpc.ts';
import { createHandshake } from './handshake.ts';
import { PRECOMPUTED } from './precomputed.ts';

const CLIENT = { name: 'probe', version: '1' };
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': CLIENT,
  'io.modelcontextprotocol/clientCapabilities': {},
};

function ask(message: Message, handshake = createHandshake()): unknown {
  const reply = handshake.reply(message);
  return reply === null || reply.result === null ? null : JSON.parse(reply.result);
}

test('knows every revision before 2026 that the SDK knows', () => {
  assert.deepEqual(PRECOMPUTED.legacyVersions, LEGACY_VERSIONS);
  assert.equal(LEGACY_VERSIONS.length, 5);
});

for (const version of LEGACY_VERSIONS) {
  test(`answers a ${version} client exactly as the SDK does (else run scripts/precompute-mcp.js)`, async () => {
    const handshake = createHandshake();
    const { initialize, ...lists } = await computeAnswers(version);
    const params = { protocolVersion: version, capabilities: {}, clientInfo: CLIENT };
    assert.deepEqual(ask({ jsonrpc: '2.0', id: 1, method: 'initialize', params }, handshake), initialize);
    for (const [method, result] of Object.entries(lists))
      assert.deepEqual(ask({ jsonrpc: '2.0', id: 2, method }, handshake), result, method);
  });
}

test('answers a 2026-07-28 client exactly as the SDK does (else run scripts/precompute-mcp.js)', async () => {
  for (const [method, result] of Object.entries(await computeAnswers('2026-07-28'))) {
    assert.deepEqual(ask({ jsonrpc: '2.0', id: 1, method, params: { _meta: ENVELOPE } }), result, method);
  }
});

test('leaves everything unusual to the SDK', () => {
  const initialize = (params: Record<string, unknown>): Message => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params,
  });
  const good = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT };
  assert.equal(createHandshake().reply(initialize({ ...good, protocolVersion: '1999-01-01' })), null);
  assert.equal(createHandshake().reply(initialize({ ...good, clientInfo: undefined })), null);
  assert.equal(
    createHandshake().reply({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    null,
    'a list before initialize',
  );
  const opened = createHandshake();
  assert.notEqual(opened.reply(initialize(good)), null);
  assert.equal(opened.reply(initialize(good)), null, 'a second initialize');
  assert.equal(opened.reply({ jsonrpc: '2.0', id: 2, method: 'tools/list', params: { cursor: 'x' } }), null);
  assert.equal(
    opened.reply({ jsonrpc: '2.0', id: 2, method: 'tools/list', params: { _meta: ENVELOPE } }),
    null,
    'a change of era',
  );
  assert.equal(opened.reply({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'memory_health' } }), null);
  const modern = createHandshake();
  assert.equal(
    modern.reply({
      jsonrpc: '2.0',
      id: 1,
      method: 'server/discover',
      params: { _meta: { ...ENVELOPE, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } },
    }),
    null,
  );
  assert.notEqual(modern.reply({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: ENVELOPE } }), null);
  assert.equal(modern.reply(initialize(good)), null, 'initialize after a 2026 request');
});

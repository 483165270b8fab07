import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPlainRequest } from './plain-request.ts';

const HEADERS = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
  'mcp-protocol-version': '2025-11-25',
};
const CALL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'memory_search', arguments: { query: 'x' } },
};

const isPlain = (headers: Record<string, string | undefined>, body: unknown): boolean => {
  const given = Object.entries({ ...HEADERS, ...headers }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  return readPlainRequest(new Request('http://localhost/mcp', { method: 'POST', headers: given }), body) !== null;
};

test('a call of a 2025-era client is answered without a protocol server', () => {
  assert.ok(isPlain({}, CALL));
  assert.ok(isPlain({ 'mcp-protocol-version': undefined }, CALL));
  assert.ok(isPlain({}, { ...CALL, id: 'a' }));
  assert.ok(isPlain({}, { ...CALL, params: { ...CALL.params, _meta: { progressToken: 7 } } }));
});

test('whatever needs more, or is wrong, is left to the protocol server', () => {
  const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  for (const [headers, body] of [
    [{}, [CALL]],
    [{}, { ...CALL, method: 'tools/list' }],
    [{}, { ...CALL, id: undefined }],
    [{}, { ...CALL, id: 1.5 }],
    [{}, { ...CALL, params: { name: 1 } }],
    [{}, { ...CALL, params: { ...CALL.params, arguments: [] } }],
    [{}, { ...CALL, params: { ...CALL.params, task: {} } }],
    [{}, { ...CALL, params: { ...CALL.params, _meta: meta } }],
    [{ 'mcp-protocol-version': '2026-07-28' }, CALL],
    [{ 'mcp-protocol-version': '1999-01-01' }, CALL],
    [{ 'mcp-method': 'tools/call' }, CALL],
    [{ accept: 'application/json' }, CALL],
    [{ 'content-type': 'text/plain' }, CALL],
  ] as [Record<string, string>, unknown][])
    assert.equal(isPlain(headers, body), false, JSON.stringify([headers, body]));
});

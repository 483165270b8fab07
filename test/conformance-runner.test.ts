import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { test } from 'node:test';
import { parsePacket } from '../src/features/packets/parse-packet.ts';
import { checkFields } from '../src/privacy/check-fields.ts';
import { describeFinding } from '../src/privacy/field-finding.ts';

const RUNNER = join(import.meta.dirname, '../conformance/run.ts');

async function runAgainst(listener: RequestListener, flags: string[]): Promise<{ code: number; output: string }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const child = spawn(process.execPath, [RUNNER, '--url', url, '--token', 'any', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  server.closeAllConnections();
  server.close();
  return { code: Number(code), output };
}

/** The protocol's packet routes over a map. */
function packetServer(): RequestListener {
  const packets = new Map<string, string>();
  return async (request, response) => {
    const id = decodeURIComponent(request.url!.split('/')[3] ?? '');
    if (request.method === 'DELETE') return void response.writeHead(packets.delete(id) ? 204 : 404).end();
    if (request.method === 'GET') return void response.writeHead(packets.has(id) ? 200 : 404).end(packets.get(id));
    const parsed = parsePacket(await buffer(request));
    if (parsed.outcome === 'invalid')
      return void response.writeHead(400).end(JSON.stringify({ error: parsed.message }));
    const findings = checkFields(parsed.packet);
    if (findings.length > 0)
      return void response.writeHead(400).end(JSON.stringify({ error: findings.map(describeFinding).join('\n') }));
    packets.set(parsed.packet.id, parsed.canonical);
    response.writeHead(201).end(JSON.stringify({ id: parsed.packet.id }));
  };
}

test('the conformance runner passes a server that keeps the rules', async () => {
  const { code, output } = await runAgainst(packetServer(), ['--redaction', '--json']);
  const { passed, failed, skipped } = JSON.parse(output) as { passed: number; failed: number; skipped: number };
  assert.deepEqual({ code, failed, skipped }, { code: 0, failed: 0, skipped: 0 });
  assert.ok(passed >= 200);
});

test('the conformance runner fails a server that takes everything', async () => {
  const { code, output } = await runAgainst(
    (_, response) => void response.writeHead(201).end('{"id":"0123456789"}'),
    ['--only', 'L3'],
  );
  assert.equal(code, 1);
  assert.match(output, /FAILED L3: .*\n {2}want 400, got 201/);
});

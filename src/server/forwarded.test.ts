import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createNetworks, isNetwork } from '../model/networks.ts';
import { createForwardedReader } from './forwarded.ts';

interface Seen {
  host: string | undefined;
  address: string | undefined;
  proto: string | undefined;
  raw: string[];
  url: string | undefined;
}

/** What is left of a request's headers behind the reader; the connection comes from 127.0.0.1. */
async function seen(trusted: string[], headers: Record<string, string>, path = '/'): Promise<Seen> {
  const read = createForwardedReader(trusted);
  const got = Promise.withResolvers<IncomingMessage>();
  const server = createServer((incoming, response) => {
    read(incoming);
    response.end();
    got.resolve(incoming);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  request({ port, host: '127.0.0.1', path, headers: { host: 'inner', ...headers } }).end();
  const { headers: left, rawHeaders, url } = await got.promise;
  server.closeAllConnections();
  server.close();
  return {
    host: left.host,
    address: left['x-forwarded-for'] as string,
    proto: left['x-forwarded-proto'] as string,
    raw: rawHeaders.map((text) => text.toLowerCase()),
    url,
  };
}

const GIVEN = {
  'x-forwarded-for': '6.6.6.6, 203.0.113.9, 10.0.0.2',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'memory.example.org',
  forwarded: 'for=1.2.3.4',
};

test('nobody is believed by default', async () => {
  const { host, address, proto, raw } = await seen([], GIVEN);
  assert.deepEqual([host, address, proto], ['inner', undefined, undefined]);
  assert.ok(!raw.some((text) => text.includes('forwarded')));
});

test('a trusted proxy names the client, and what the client wrote itself is passed over', async () => {
  const { host, address, proto, raw } = await seen(['127.0.0.1', '10.0.0.0/8'], GIVEN);
  assert.deepEqual([host, address, proto], ['memory.example.org', '203.0.113.9', 'https']);
  assert.deepEqual(
    raw.filter((_, at) => raw[at - 1] === 'host' || raw[at - 1] === 'x-forwarded-for'),
    ['203.0.113.9', 'memory.example.org'],
  );
});

test('a request line names a path and no host', async () => {
  for (const [line, path] of [
    ['http://evil.test/a?b=http://c/d', '/a?b=http://c/d'],
    ['HTTPS://u:p@evil.test:1/a', '/a'],
    ['http://evil.test', '/'],
    ['http://evil.test?a', '/?a'],
    ['/a/http://b/c', '/a/http://b/c'],
    ['//evil.test/a', '//evil.test/a'],
    ['*', '*'],
  ] as const) {
    const { url, host } = await seen([], {}, line);
    assert.deepEqual([url, host], [path, 'inner']);
  }
});

test('networks are told from other texts, and contain what they contain', () => {
  for (const text of ['127.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8']) assert.ok(isNetwork(text), text);
  for (const text of ['localhost', '10.0.0.0/33', '10.0.0.0/8/8', '', '10.0.0.0/', '::/129'])
    assert.ok(!isNetwork(text), text);
  const contains = createNetworks(['10.0.0.0/8', 'fd00::/8']);
  assert.deepEqual(['10.1.2.3', '::ffff:10.1.2.3', 'fd00::5', '11.0.0.1', 'fe80::1', 'nonsense'].map(contains), [
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createOrigins } from './oauth-origins.ts';

const local = createOrigins({ externalUrl: null, ownUrl: () => 'http://127.0.0.1:8000' });
const outside = createOrigins({ externalUrl: 'https://memory.example.org', ownUrl: () => 'http://127.0.0.1:8000' });
const encrypted = createOrigins({ externalUrl: null, ownUrl: () => 'https://10.0.0.5:8443' });

it('signs people in on this machine and over TLS, and nowhere else', () => {
  assert.equal(local.issuerFor('127.0.0.1:8000'), 'http://127.0.0.1:8000');
  assert.equal(local.issuerFor('LOCALHOST:8000'), 'http://localhost:8000');
  assert.equal(local.issuerFor('[::1]:8000'), 'http://[::1]:8000');
  assert.equal(local.issuerFor('192.168.1.5:8000'), null);
  assert.equal(local.issuerFor('localhost.evil.example:8000'), null);
  assert.equal(local.issuerFor(''), null);
  assert.equal(outside.issuerFor('127.0.0.1:8000'), 'https://memory.example.org');
  assert.equal(encrypted.issuerFor('10.0.0.5:8443'), 'https://10.0.0.5:8443');
  assert.equal(
    createOrigins({ externalUrl: 'http://memory.example.org', ownUrl: () => 'http://127.0.0.1:8000' }).issuerFor(
      '127.0.0.1:8000',
    ),
    null,
  );
});

it('names the server to a client as the client does', () => {
  assert.equal(local.resourceOriginFor('localhost:8000'), 'http://localhost:8000');
  assert.equal(outside.resourceOriginFor('memory.example.org'), 'https://memory.example.org');
  assert.equal(outside.resourceOriginFor('127.0.0.1:8000'), 'http://127.0.0.1:8000');
});

it('knows its own resources', () => {
  const isOwn = (identifier: string) => outside.isOwnResource(identifier, 'https://memory.example.org');
  for (const own of [
    'https://memory.example.org',
    'https://memory.example.org/',
    'https://memory.example.org/mcp',
    'https://memory.example.org/mcp/',
    'https://memory.example.org/mcp/sse',
    'http://localhost:8000/mcp',
  ])
    assert.ok(isOwn(own), own);
  for (const foreign of [
    'http://memory.example.org/mcp',
    'https://memory.example.org:444/mcp',
    'https://memory.example.org/api',
    'https://u@memory.example.org/mcp',
    'http://localhost:8001/mcp',
    'https://localhost:8000/mcp',
    'http://localhost/mcp',
    'mcp',
    '',
  ])
    assert.ok(!isOwn(foreign), foreign);
});

it('goes by the port of the tunnel that a client came through', () => {
  assert.equal(local.issuerFor('localhost:9000'), 'http://localhost:9000');
  const isOwn = (identifier: string) => local.isOwnResource(identifier, 'http://localhost:9000');
  for (const own of ['http://localhost:9000/mcp', 'http://127.0.0.1:9000/mcp', 'http://127.0.0.1:8000/mcp'])
    assert.ok(isOwn(own), own);
  for (const foreign of ['http://localhost:9001/mcp', 'http://evil.example:9000/mcp'])
    assert.ok(!isOwn(foreign), foreign);
});

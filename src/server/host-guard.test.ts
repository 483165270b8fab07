import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { describe, it } from 'node:test';
import { createHostGuard, isLoopback } from './host-guard.ts';

function guard(bind: string, allowedHosts: string[] = [], allowedOrigins: string[] = []) {
  return createHostGuard({ bind, port: () => 8000, allowedHosts, allowedOrigins });
}

describe('the Host header', () => {
  it('may name this machine, with whatever port a tunnel has given it', () => {
    for (const name of ['localhost', '127.0.0.1', '[::1]', 'LOCALHOST'])
      for (const port of [':8000', ':9000', ':65535', '', ':80'])
        for (const bind of ['127.0.0.1', '::1', '10.1.2.3', '0.0.0.0'])
          assert.ok(guard(bind).allowsHost(name + port), `${name}${port} at ${bind}`);
  });

  it('may not name anything else', () => {
    const hosts = [
      'evil.example',
      'evil.example:8000',
      'localhost.evil.example:8000',
      'evil.localhost:8000',
      'localhost.:8000',
      '127.0.0.1.nip.io:8000',
      '127.0.0.1.nip.io',
      '',
      ':8000',
      'localhost:',
      'localhost:65536',
      'localhost:999999999',
      'localhost:8000:9000',
      'localhost:8000@evil.example',
      'localhost:8000/',
      '0.0.0.0:8000',
      '10.1.2.3:8000',
    ];
    for (const host of hosts) assert.ok(!guard('127.0.0.1').allowsHost(host), host);
    assert.ok(!guard('127.0.0.1').allowsHost(null));
  });

  it('may be a configured name, on any port unless one is given', () => {
    assert.ok(guard('127.0.0.1', ['memory.example']).allowsHost('memory.example'));
    assert.ok(guard('127.0.0.1', ['memory.example']).allowsHost('Memory.example:443'));
    assert.ok(guard('127.0.0.1', ['memory.example:9000']).allowsHost('memory.example:9000'));
    assert.ok(!guard('127.0.0.1', ['memory.example:9000']).allowsHost('memory.example:9001'));
  });

  it('may be the address listened on', () => {
    assert.ok(guard('10.1.2.3').allowsHost('10.1.2.3:8000'));
    assert.ok(guard('fd00::1').allowsHost('[fd00::1]:8000'));
    assert.ok(!guard('10.1.2.3').allowsHost('10.1.2.3:9000'));
  });

  it('may be any address, on any port, and the name of the machine, where the server listens everywhere', () => {
    for (const host of [
      '100.64.0.7:8000',
      '192.168.1.5:9000',
      '[fd00::1]:8000',
      '0.0.0.0:8000',
      'localhost:9000',
      `${hostname().toUpperCase()}:8000`,
    ])
      for (const bind of ['0.0.0.0', '::']) assert.ok(guard(bind).allowsHost(host), host);
    for (const host of [
      'memory.example:8000',
      '100.64.0.7.nip.io:8000',
      `${hostname()}.evil.example:8000`,
      '[evil.example]:8000',
    ])
      assert.ok(!guard('0.0.0.0').allowsHost(host), host);
  });
});

describe('the Origin header', () => {
  it('may be absent, the server itself, or configured', () => {
    assert.ok(guard('127.0.0.1').allowsOrigin(null, 'localhost:8000'));
    assert.ok(guard('127.0.0.1').allowsOrigin('http://localhost:8000', 'localhost:8000'));
    assert.ok(guard('127.0.0.1').allowsOrigin('http://localhost:9000', 'localhost:9000'), 'through a tunnel');
    assert.ok(guard('127.0.0.1', [], ['https://a.example']).allowsOrigin('https://a.example', 'localhost:8000'));
  });

  it('may not be another page', () => {
    for (const origin of ['null', 'https://evil.example', 'http://localhost:3000', 'http://127.0.0.1:8000']) {
      assert.ok(!guard('127.0.0.1').allowsOrigin(origin, 'localhost:8000'), origin);
    }
    assert.ok(!guard('127.0.0.1').allowsOrigin('http://localhost:8000', 'localhost:9000'), 'a page of another port');
  });
});

it('knows which addresses only this machine can reach', () => {
  for (const bind of ['127.0.0.1', '127.8.9.1', '::1', 'localhost']) assert.ok(isLoopback(bind), bind);
  for (const bind of ['0.0.0.0', '::', '10.0.0.1', 'example.org', '127.0.0.1.example.org'])
    assert.ok(!isLoopback(bind), bind);
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isGlobalAddress, isLoopbackAddress } from './networks.ts';

it('knows the open internet from everything else', () => {
  for (const address of [
    '1.1.1.1',
    '93.184.216.34',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700::1111',
    '2a00:1450:4001::1',
  ])
    assert.ok(isGlobalAddress(address), address);
  const inside =
    `0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.168.0.1 192.0.0.8 198.18.0.1 203.0.113.1 224.0.0.1
    255.255.255.255 :: ::1 ::ffff:8.8.8.8 ::ffff:127.0.0.1 64:ff9b::808:808 64:ff9b:1::1 fe80::1 fe80::1%eth0 fc00::1 fd12::1 ff02::1 2001:db8::1 2001::1
    2002:a00:1:: 3fff::1 5f00::1 100::1 not-an-address 127.1`.split(/\s+/);
  for (const address of inside) assert.ok(!isGlobalAddress(address), address);
  assert.ok(isLoopbackAddress('127.9.9.9') && isLoopbackAddress('::1') && !isLoopbackAddress('10.0.0.1'));
});

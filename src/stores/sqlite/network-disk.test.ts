import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { findNetworkDisk, networkFileSystem } from './database-file.ts';
import { makeTempFolder } from './fixtures/temp-store.ts';

test('knows network and overlay file systems by their number', () => {
  equal(networkFileSystem(0x6969), 'nfs');
  equal(networkFileSystem(0x65735546), 'fuse');
  equal(networkFileSystem(0xef53), null);
});

test('finds nothing wrong with a local folder', () => {
  const folder = makeTempFolder();
  equal(findNetworkDisk(`${folder.path}/ltm.db`), null);
  folder.remove();
});

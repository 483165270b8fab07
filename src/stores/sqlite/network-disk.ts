import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';

/** File system numbers of Linux under which locks or shared memory may not work between machines, as WAL needs them to. */
const NETWORK_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, 'nfs'],
  [0x517b, 'smb'],
  [0xff534d42, 'cifs'],
  [0xfe534d42, 'smb2'],
  [0x01021997, '9p'],
  [0x65735546, 'fuse'],
  [0x5346414f, 'afs'],
  [0x00c36400, 'ceph'],
]);

export function networkFileSystem(type: number): string | null {
  return NETWORK_FILE_SYSTEMS.get(type) ?? null;
}

/** The network or overlay file system a path lies on; null for a local disk, and on other systems than Linux. */
export function findNetworkDisk(path: string): string | null {
  return process.platform === 'linux' ? networkFileSystem(statfsSync(dirname(path)).type) : null;
}

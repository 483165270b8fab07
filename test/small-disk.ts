import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** In a namespace of the process's own, for which nobody has to be root; the disk is gone when the process is. */
const MOUNTED = 'mount -t tmpfs -o size="$1" none "$0" && shift && exec "$@"';

/** A real file system of this size in memory, seen by the command alone: its path is given as the last argument. */
export function runOnSmallDisk(size: string, command: readonly string[]): { status: number | null; output: string } {
  const folder = mkdtempSync(join(tmpdir(), 'ltm-small-disk-'));
  const args = ['--user', '--map-root-user', '--mount', 'bash', '-c', MOUNTED, folder, size, ...command, folder];
  const { status, stdout, stderr } = spawnSync('unshare', args, { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  return { status, output: `${stdout ?? ''}${stderr ?? ''}` };
}

/** What keeps this machine from having one; false where nothing does. */
export function whyNoSmallDisk(): string | false {
  if (process.platform !== 'linux') return 'needs the namespaces of Linux, in which anyone may mount a small disk';
  return runOnSmallDisk('1m', ['test', '-d']).status === 0 ? false : 'this machine lets nobody mount a small disk';
}

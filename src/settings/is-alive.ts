import { readFileSync } from 'node:fs';

/** A process that has ended and that nobody has asked about yet still has its number; on Linux its state tells. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !hasEnded(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // somebody else's process
  }
}

function hasEnded(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    // the name in parentheses may hold anything, the state follows the last of them
    return /^\) [ZX]/.test(/\)[^)]*$/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[0] ?? '');
  } catch {
    return false; // no /proc here, or gone in between
  }
}

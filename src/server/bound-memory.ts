import { setFlagsFromString } from 'node:v8';

/**
 * V8 lets the young generation of a busy process grow to 128 MB and collects the old one late, since it takes the machine for its own: a server over
 * 10,000 memories, which needs 30 MB of heap, held 370 MB after 16,000 requests. With these it stays below half; what they cost in CPU time
 * by request was less than the measurements differ (`bench/serve-bench.ts`). Called once the program is loaded, so that loading is not slowed down;
 * scripts/load-script.js sets them back before it keeps what was compiled.
 */
const FLAGS = ['--optimize-for-size', '--semi-space-growth-factor=1', '--heap-growing-percent=20'];

/** For a process that runs for long and answers small requests. */
export function boundMemory(): void {
  for (const flag of FLAGS) setFlagsFromString(flag);
}

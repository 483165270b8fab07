import assert from 'node:assert/strict';

/** Four times the text may take this many times the time: a walk that is linear takes about 4, a quadratic one 16. */
const MOST_GROWTH = 9;
/** Less is noise, whatever its growth. */
const FLOOR_MS = 20;

/** How the time of something grows with its size. Not how long it takes: a busy machine is slow at both sizes. The best of a few runs counts. */
export async function assertLinear(name: string, size: number, run: (size: number) => unknown): Promise<void> {
  await run(size >> 2);
  let least = Number.POSITIVE_INFINITY;
  let most = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 4; i++) {
    least = Math.min(least, await timeOf(() => run(size >> 2)));
    most = Math.min(most, await timeOf(() => run(size)));
    if (most < FLOOR_MS || most < least * MOST_GROWTH) return;
  }
  assert.fail(`${name}: four times the text takes ${(most / least).toFixed(1)} times as long (${most.toFixed(0)} ms)`);
}

/** The processor's time of this process, which does not run while another has the processor. */
async function timeOf(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

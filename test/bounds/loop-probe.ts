// Loaded into a server (`node --import`): tells, whenever it is asked, the longest stretch of processor time in which its event loop could do nothing else.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const EVERY_MS = 2;
const file = process.env.LTM_TEST_LOOP_PROBE;
let longest = 0;
let before = usedMs();

if (isMainThread && file !== undefined && process.argv.includes('serve'))
  setInterval(() => {
    const now = usedMs();
    longest = Math.max(longest, now - before);
    before = now;
    if (!existsSync(`${file}.asked`)) return;
    writeFileSync(`${file}.new`, String(longest));
    rmSync(`${file}.asked`);
    longest = 0;
    before = usedMs();
  }, EVERY_MS).unref();

function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

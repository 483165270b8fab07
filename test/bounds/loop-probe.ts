// Loaded into a server (`node --import`): tells, whenever it is asked, the longest stretch of processor time in which its event loop could do nothing else.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const EVERY_MS = 2;
const { LTM_TEST_LOOP_PROBE: file, LTM_TEST_LOOP_STACKS: withStacks } = process.env;

/** What the server tells of its longest stretch; the stacks are those of the profiler, where it was asked for. */
export interface Stretch {
  ms: number;
  stacks: string[];
}

if (isMainThread && file !== undefined && process.argv.includes('serve')) {
  const stacks = withStacks === undefined ? null : (await import('./step-stacks.ts')).startStacks();
  let longest = { ms: 0, from: 0, until: 0 };
  let before = usedMs();
  let began = performance.now();
  setInterval(() => {
    const [now, until] = [usedMs(), performance.now()];
    if (now - before > longest.ms) longest = { ms: now - before, from: began, until };
    if (existsSync(`${file}.asked`)) {
      const told: Stretch = { ms: longest.ms, stacks: stacks?.take(longest.from, longest.until) ?? [] };
      writeFileSync(`${file}.new`, JSON.stringify(told));
      rmSync(`${file}.asked`);
      longest = { ms: 0, from: 0, until: 0 };
    }
    before = usedMs();
    began = performance.now();
  }, EVERY_MS).unref();
}

function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

// Loaded into a server (`node --import`): tells, whenever it is asked, the longest stretch of processor time in which its event loop could do nothing else.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { PerformanceObserver } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const EVERY_MS = 2;
const { LTM_TEST_LOOP_PROBE: file, LTM_TEST_LOOP_STACKS: withStacks } = process.env;

/** What the server tells of its longest stretches; the stacks are those of the profiler, where it was asked for. */
export interface Stretch {
  ms: number;
  stacks: string[];
  /** Of the longest without the garbage that was collected in it. That is timed by the clock, so that little is left of a stretch in which others had the processor meanwhile. */
  workMs: number;
}

if (isMainThread && file !== undefined && process.argv.includes('serve')) {
  const stacks = withStacks === undefined ? null : (await import('./step-stacks.ts')).startStacks();
  let longest = { ms: 0, from: 0, until: 0 };
  let longestWork = 0;
  let before = usedMs();
  let began = performance.now();
  let garbageMs = 0;
  const collections = new PerformanceObserver((list) => addGarbage(list.getEntries()));
  collections.observe({ entryTypes: ['gc'] });
  const addGarbage = (entries: readonly { duration: number }[]): void => {
    for (const { duration } of entries) garbageMs += duration;
  };
  setInterval(() => {
    const [now, until] = [usedMs(), performance.now()];
    addGarbage(collections.takeRecords());
    if (now - before > longest.ms) longest = { ms: now - before, from: began, until };
    longestWork = Math.max(longestWork, now - before - garbageMs);
    if (existsSync(`${file}.asked`)) {
      const told: Stretch = {
        ms: longest.ms,
        stacks: stacks?.take(longest.from, longest.until) ?? [],
        workMs: longestWork,
      };
      writeFileSync(`${file}.new`, JSON.stringify(told));
      rmSync(`${file}.asked`);
      longest = { ms: 0, from: 0, until: 0 };
      longestWork = 0;
    }
    before = usedMs();
    began = performance.now();
    garbageMs = 0;
  }, EVERY_MS).unref();
}

function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

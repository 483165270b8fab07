import { type Profiler, Session } from 'node:inspector';
import { type PerformanceEntry, PerformanceObserver, performance } from 'node:perf_hooks';

const SAMPLE_US = 250;
/** Callers that are named beside where the time went. */
const CALLERS = 5;
const MOST_LINES = 20;
const LEAST_US = 1000;

export interface StepStacks {
  /** What happened between two times of `performance.now()`; forgets it, and what was before. */
  take(from: number, until: number): string[];
}

/** Says what stretches of this thread consisted of: collections of garbage, and where the profiler saw it. By the clock: what other programs took meanwhile is in it. */
export function startStacks(): StepStacks {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: SAMPLE_US });
  session.post('Profiler.start');
  /** The profiler counts in microseconds from where the machine does. */
  const origin = Number(process.hrtime.bigint()) / 1e6 - performance.now();
  let collections: PerformanceEntry[] = [];
  const observer = new PerformanceObserver((list) => collections.push(...list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  return {
    take(from, until) {
      let profile: Profiler.Profile | undefined;
      session.post('Profiler.stop', (_error, answer) => {
        profile = answer?.profile;
      });
      session.post('Profiler.start');
      collections.push(...observer.takeRecords());
      const collected = collections
        .filter(({ startTime, duration }) => startTime < until && startTime + duration > from)
        .map((entry) => `${inMs(entry.duration * 1000)}  garbage: ${JSON.stringify(entry.toJSON().detail)}`);
      collections = [];
      const seen = profile === undefined ? [] : describe(profile, (from + origin) * 1000, (until + origin) * 1000);
      return [`${inMs((until - from) * 1000)}  in all`, ...collected, ...seen];
    },
  };
}

function describe(profile: Profiler.Profile, from: number, until: number): string[] {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const spent = new Map<string, number>();
  const { samples = [], timeDeltas = [], startTime } = profile;
  let at = startTime;
  for (const [i, id] of samples.entries()) {
    at += timeDeltas[i] ?? 0;
    if (at < from || at > until) continue;
    const names: string[] = [];
    for (let one: number | undefined = id; one !== undefined && names.length < CALLERS; one = parents.get(one)) {
      const { functionName, url, lineNumber } = nodes.get(one)!.callFrame;
      if (functionName !== '(root)') names.push(`${functionName || '?'} ${url.split('/').pop()}:${lineNumber + 1}`);
    }
    const name = names.join(' < ');
    spent.set(name, (spent.get(name) ?? 0) + (timeDeltas[i + 1] ?? 0));
  }
  return [...spent]
    .filter(([, us]) => us >= LEAST_US)
    .sort((a, b) => b[1] - a[1])
    .slice(0, MOST_LINES)
    .map(([name, us]) => `${inMs(us)}  ${name}`);
}

function inMs(us: number): string {
  return `${(us / 1000).toFixed(1).padStart(8)} ms`;
}

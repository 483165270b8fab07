import { median, quantile } from './report.ts';

/** Milliseconds for one call: wall-clock quantiles, and CPU time of the whole process by call. */
export interface Timing {
  p50: number;
  p95: number;
  cpu: number;
}

/** Other work shares the machine: of several rounds over the same questions the one of the least CPU time counts. */
const ROUNDS = 3;

export async function timeEach<T>(inputs: readonly T[], work: (input: T) => unknown, rounds = ROUNDS): Promise<Timing> {
  const timings: Timing[] = [];
  for (let round = 0; round < rounds; round++) {
    const walls: number[] = [];
    const before = process.cpuUsage();
    for (const input of inputs) {
      const started = performance.now();
      await work(input);
      walls.push(performance.now() - started);
    }
    timings.push({ p50: median(walls), p95: quantile(walls, 0.95), cpu: cpuSince(before) / inputs.length });
  }
  return timings.toSorted((a, b) => a.cpu - b.cpu)[0]!;
}

export function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

export function residentMb(): number {
  return process.memoryUsage().rss / 2 ** 20;
}

import { Worker } from 'node:worker_threads';
import type { Told, Trial } from './fuzz-thread.ts';

/** Whatever takes so long is ended: nobody waits for it. The thread itself takes a while to start on a machine that is busy. */
const HUNG_MS = 60_000;
const START_MS = 120_000;

export interface Step extends Trial {
  text: string;
  ms: number;
}

/** Tries readers in a thread of its own, which is ended with what never ends. */
export function openFuzz() {
  let worker: Worker | null = null;

  async function stop(): Promise<void> {
    const ending = worker;
    worker = null;
    await ending?.terminate();
  }

  /** The steps of a trial, the last of them endless where it was given up. */
  function run(trial: Trial): Promise<Step[]> {
    worker ??= new Worker(new URL('./fuzz-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 2048 },
    });
    const thread = worker;
    const steps: Step[] = [];
    let text = '';
    return new Promise((resolve) => {
      const settle = (isUsable: boolean): void => {
        clearTimeout(timer);
        thread.off('message', hear).off('error', fail);
        if (isUsable) resolve(steps);
        else {
          steps.push({ ...trial, text, ms: Number.POSITIVE_INFINITY });
          void stop().then(() => resolve(steps));
        }
      };
      const late = (ms: number): NodeJS.Timeout => setTimeout(() => settle(false), ms);
      let timer = late(START_MS);
      const fail = (): void => settle(false);
      const hear = (told: Told): void => {
        if ('done' in told) settle(true);
        else if ('begun' in told) {
          text = told.begun;
          clearTimeout(timer);
          timer = late(HUNG_MS);
        } else steps.push({ ...trial, ...told });
      };
      thread.on('message', hear).on('error', fail);
      thread.postMessage(trial);
    });
  }
  return { run, stop };
}

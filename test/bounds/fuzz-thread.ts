import { parentPort } from 'node:worker_threads';
import { type HostileText, makeHostile, repeatEach } from './hostile-texts.ts';
import { READERS } from './readers.ts';
import { measureLongestStep } from './step-meter.ts';

/** What this thread is asked to try; it says what it begins, and how long its longest step took. */
export interface Trial {
  reader: string;
  chars: number;
  /** A made text by its seed, or the pieces from `from` on, each over and over. */
  seed: number | null;
  from?: number;
  upTo?: number;
}

export type Told = { begun: string } | { text: string; ms: number } | { done: true };

/** A longer step is looked at again: the first run of anything is compiled, and garbage of others may be collected in it. */
const AGAIN_MS = 15;
const MORE_RUNS = 2;

parentPort?.on('message', async (trial: Trial) => {
  const { read } = READERS.find(({ name }) => name === trial.reader)!;
  for (const { name, text } of textsOf(trial)) {
    parentPort?.postMessage({ begun: name } satisfies Told);
    let ms = await measureLongestStep(() => read(text));
    for (let i = 0; i < MORE_RUNS && ms > AGAIN_MS; i++) {
      const again = await measureLongestStep(() => read(text));
      if (again > ms * 0.8) break;
      ms = Math.min(ms, again);
    }
    parentPort?.postMessage({ text: name, ms } satisfies Told);
  }
  parentPort?.postMessage({ done: true } satisfies Told);
});

function* textsOf({ reader, chars, seed, from = 0, upTo = Number.POSITIVE_INFINITY }: Trial): Generator<HostileText> {
  const { own = [] } = READERS.find(({ name }) => name === reader)!;
  if (seed !== null) yield makeHostile(seed ^ hashOf(reader), chars, own);
  else {
    let at = 0;
    for (const one of repeatEach(chars, own)) {
      if (at >= from && at < upTo) yield one;
      at += 1;
    }
  }
}

/** So that one seed is another text for each reader. */
function hashOf(name: string): number {
  return [...name].reduce((hash, sign) => (Math.imul(hash, 31) + sign.charCodeAt(0)) | 0, 7);
}

import { createInterface } from 'node:readline/promises';
import type { Terminal } from './terminal.ts';

/** Asks on stderr; anything but yes is no. */
export async function ask(question: string, { streams }: Terminal): Promise<boolean> {
  const dialogue = createInterface({ input: streams.stdin, output: streams.stderr as NodeJS.WritableStream });
  try {
    return /^y(es)?$/i.test((await dialogue.question(`${question} [y/N] `)).trim());
  } finally {
    dialogue.close();
  }
}

import { compareBytes } from './string-table.ts';

export interface Numbered {
  bytes: Uint8Array;
  /** Its place in the list it came from. */
  number: number;
}

/** Bytes that a character of one UTF-16 unit may take; one of two units takes four. */
const LONGEST_UNIT = 3;
/** Strings sorted between two turns of the event loop. */
const RUN = 2048;

/** In the order of their UTF-8 bytes; sorted in runs and merged, so that nothing else waits for all of it. */
export async function sortStrings(
  texts: readonly string[],
  pace: () => Promise<void> | undefined,
): Promise<readonly Numbered[]> {
  let runs: Numbered[][] = [];
  for (let start = 0; start < texts.length; start += RUN) {
    const run = encodeTexts(texts.slice(start, start + RUN), start);
    runs.push(run.sort((a, b) => compareBytes(a.bytes, b.bytes)));
    await pace();
  }
  while (runs.length > 1) {
    const merged: Numbered[][] = [];
    for (let i = 0; i < runs.length; i += 2) merged.push(await mergeTwo(runs[i]!, runs[i + 1] ?? [], pace));
    runs = merged;
  }
  return runs[0] ?? [];
}

/** Into one piece of memory for all of them: one for each takes longer than sorting. */
function encodeTexts(texts: readonly string[], start: number): Numbered[] {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  const bytes = new Uint8Array(length * LONGEST_UNIT);
  const writer = Buffer.from(bytes.buffer);
  let at = 0;
  return texts.map((text, i) => {
    const from = at;
    at += writer.write(text, from);
    return { bytes: bytes.subarray(from, at), number: start + i };
  });
}

async function mergeTwo(a: Numbered[], b: Numbered[], pace: () => Promise<void> | undefined): Promise<Numbered[]> {
  const merged: Numbered[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const takesFirst = j >= b.length || (i < a.length && compareBytes(a[i]!.bytes, b[j]!.bytes) <= 0);
    merged.push(takesFirst ? a[i++]! : b[j++]!);
    if (merged.length % RUN === 0) await pace();
  }
  return merged;
}

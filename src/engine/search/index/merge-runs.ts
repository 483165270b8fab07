import { firstOf, headAt, MOVED_AT_ONCE, startHeads } from './merge-words.ts';
import { createByteWriter, putAscending } from './number-list.ts';
import type { RunList, RunSections, Runs } from './runs.ts';
import { compareBytes, makeStringTableInTurns } from './string-table.ts';

export interface RunSource {
  /** Null: written before there were runs. */
  runs: Runs | null;
  /** The new number of each record, -1 for those left out. */
  recordMap: Int32Array;
}

/** The runs of several parts in one table; a run that only dead records hold is gone from it. */
export async function mergeRuns(
  sources: readonly RunSource[],
  pace: () => Promise<void> | undefined,
): Promise<RunSections> {
  const lists = await Promise.all(sources.map(({ runs }) => runs?.list(pace) ?? EMPTY));
  const cursors = lists.map(() => 0);
  const heads = startHeads(lists);
  const kept: Uint8Array[] = [];
  const starts = [0];
  const target = createByteWriter();
  let moved = 0;
  for (let steps = 0; ; steps++) {
    const run = firstOf(heads);
    if (run === null) break;
    const records: number[] = [];
    for (let i = 0; i < lists.length; i++) {
      const head = heads[i]!;
      if (head === null || compareBytes(head, run) !== 0) continue;
      const { recordMap } = sources[i]!;
      lists[i]!.eachRecord(cursors[i]!, (record) => {
        if (recordMap[record] !== -1) records.push(recordMap[record]!);
      });
      cursors[i]!++;
      heads[i] = headAt(lists[i]!, cursors[i]!);
    }
    if (records.length > 0) {
      putAscending(target, inOrder(records));
      kept.push(run);
      starts.push(target.length);
    }
    moved += records.length;
    if (steps % 256 !== 0 && moved < MOVED_AT_ONCE) continue;
    moved = 0;
    await pace();
  }
  const table = await makeStringTableInTurns(kept, pace);
  return {
    runStart: table.starts,
    runBytes: table.bytes,
    runListStart: Uint32Array.from(starts),
    runLists: target.finish(),
    uncut: Uint32Array.from(inOrder(sources.flatMap(listUncut))),
  };
}

const EMPTY: RunList = { count: 0, bytesAt: () => new Uint8Array(0), eachRecord: () => {} };

function listUncut({ runs, recordMap }: RunSource): number[] {
  if (runs === null) return [...recordMap].filter((record) => record !== -1);
  return Array.from(runs.uncut, (record) => recordMap[record]!).filter((record) => record !== -1);
}

function inOrder(numbers: number[]): number[] {
  for (let i = 1; i < numbers.length; i++) if (numbers[i - 1]! > numbers[i]!) return numbers.sort((a, b) => a - b);
  return numbers;
}

import { grown } from './growable.ts';
import { ascends, firstOf, headAt, MOVED_AT_ONCE, startHeads } from './merge-words.ts';
import { type ByteWriter, createByteWriter, putAscending } from './number-list.ts';
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
  const records = createRecordList();
  let moved = 0;
  for (let steps = 0; ; steps++) {
    const run = firstOf(heads);
    if (run === null) break;
    records.clear();
    for (let i = 0; i < lists.length; i++) {
      const head = heads[i]!;
      if (head === null || compareBytes(head, run) !== 0) continue;
      records.take(lists[i]!, cursors[i]!, sources[i]!.recordMap);
      cursors[i]!++;
      heads[i] = headAt(lists[i]!, cursors[i]!);
    }
    if (records.size() > 0) {
      records.putInto(target);
      kept.push(run);
      starts.push(target.length);
    }
    moved += records.size();
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
    uncut: Uint32Array.from(sources.flatMap(listUncut)).sort(),
  };
}

const EMPTY: RunList = { count: 0, bytesAt: () => new Uint8Array(0), eachRecord: () => {} };

function listUncut({ runs, recordMap }: RunSource): number[] {
  if (runs === null) return [...recordMap].filter((record) => record !== -1);
  return Array.from(runs.uncut, (record) => recordMap[record]!).filter((record) => record !== -1);
}

function reverse(list: Uint32Array, size: number): void {
  for (let i = 0, j = size - 1; i < j; i++, j--) {
    const last = list[j]!;
    list[j] = list[i]!;
    list[i] = last;
  }
}

/** The records of one run after the other, by their new numbers: one list for all of them. */
function createRecordList() {
  let list = new Uint32Array(1024);
  let size = 0;
  let numbers: Int32Array = new Int32Array(0);
  const collect = (record: number): void => {
    const number = numbers[record]!;
    if (number === -1) return;
    list = grown(list, size + 1);
    list[size++] = number;
  };
  return {
    size: () => size,
    clear(): void {
      size = 0;
    },
    take(runs: RunList, at: number, recordMap: Int32Array): void {
      numbers = recordMap;
      runs.eachRecord(at, collect);
    },
    putInto(target: ByteWriter): void {
      // A tail gives its newest record first.
      if (!ascends(list, size)) reverse(list, size);
      if (!ascends(list, size)) list.subarray(0, size).sort();
      putAscending(target, list, size);
    },
  };
}

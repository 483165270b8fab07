import { closeSync, fstatSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import type { ReadBatch, ReadSpool } from '../sql/read-counter.ts';

/** So many bytes, some hundred reads, are worth a write of their own. */
const MAX_BYTES = 8_192;
const LINE = /^(\S+)\t([0-9a-z]{20})\t(\d{1,9})\t(\d{1,16})$/;

/** A file beside the database for reads that single commands have counted: a line in it takes a hundredth of what a transaction takes. */
export function createReadSpool(path: string): ReadSpool {
  const place = `${path}-reads`;
  return {
    add(batches) {
      const lines = batches.flatMap(({ space, reads }) =>
        reads.map(
          ({ id, reads: count, lastReadAt }) => `${encodeURIComponent(space)}\t${id}\t${count}\t${lastReadAt}\n`,
        ),
      );
      try {
        const file = openSync(place, 'a', 0o600);
        try {
          writeSync(file, lines.join(''));
          return fstatSync(file).size > MAX_BYTES ? 'full' : 'kept';
        } finally {
          closeSync(file);
        }
      } catch {
        return 'refused'; // a folder that may not be written to, or a full disk: the database decides then
      }
    },
    take() {
      const mine = `${place}.${process.pid}`;
      try {
        // Whoever renames it has it alone.
        renameSync(place, mine);
      } catch {
        return [];
      }
      const text = readFileSync(mine, 'utf8');
      rmSync(mine, { force: true });
      return text.split('\n').flatMap(readLine);
    },
  };
}

/** What is no whole line of ours was cut by the end of a disk or a process: one read less is counted. */
function readLine(line: string): ReadBatch[] {
  const [, space, id, reads, lastReadAt] = LINE.exec(line) ?? [];
  if (space === undefined) return [];
  return [
    { space: decodeURIComponent(space), reads: [{ id: id!, reads: Number(reads), lastReadAt: Number(lastReadAt) }] },
  ];
}

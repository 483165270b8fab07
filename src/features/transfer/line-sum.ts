import { crc32 } from 'node:zlib';

const SUM = /,"crc":"([0-9a-f]{8})"\}$/;

/** The value as a line that carries a CRC-32 of itself: of a file that was changed, it can be told which lines were. */
export function writeSummedLine(value: object): string {
  const text = JSON.stringify(value);
  return `${text.slice(0, -1)},"crc":"${sumOf(text)}"}`;
}

/** The line without its sum, and whether that is right; null where it has none. */
export function readSummedLine(line: string): { text: string; matches: boolean | null } {
  const found = SUM.exec(line);
  if (found === null) return { text: line, matches: null };
  const text = `${line.slice(0, found.index)}}`;
  return { text, matches: sumOf(text) === found[1] };
}

function sumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

import type { Directory } from './segment-directory.ts';
import { PAGE_BYTES } from './segment-directory.ts';
import { SECTIONS, type SectionName, type Sections } from './segment-format.ts';

/** A section of which only those pages are read that are asked for; all other numbers are 0. */
export interface SparseSection<Name extends SectionName> {
  numbers: Sections[Name];
  /** Called before the numbers between two places are read. */
  need(from: number, to: number): void;
  /** The same for many rows of so many numbers each. */
  needEach(rows: Uint32Array, width: number): void;
}

export interface SparseSource {
  directory: Directory;
  sections: Sections;
  pages: { readPages(pages: readonly number[]): Uint8Array[] };
}

export function takeSparsely<Name extends SectionName>(
  name: Name,
  { directory, sections, pages }: SparseSource,
): SparseSection<Name> {
  const { encoding, offset, stored, length } = directory.places[name];
  if (encoding !== 'plain') return { numbers: sections[name], need() {}, needEach() {} };
  // Room that nothing is written to takes none.
  const whole = new Uint8Array(length);
  const View = SECTIONS[name];
  const numbers = new View(whole.buffer, 0, length / View.BYTES_PER_ELEMENT) as Sections[Name];
  const first = Math.floor(offset / PAGE_BYTES);
  const isRead = new Uint8Array(Math.ceil((offset + stored) / PAGE_BYTES) - first);
  const pageOf = (place: number) => Math.floor((offset + place * View.BYTES_PER_ELEMENT) / PAGE_BYTES) - first;
  const readMissing = (missing: readonly number[]): void => {
    if (missing.length === 0) return;
    for (const [i, bytes] of pages.readPages(missing.map((page) => first + page)).entries()) {
      const at = (first + missing[i]!) * PAGE_BYTES;
      const start = Math.max(offset, at);
      whole.set(bytes.subarray(start - at, Math.min(offset + stored, at + PAGE_BYTES) - at), start - offset);
      isRead[missing[i]!] = 1;
    }
  };
  return {
    numbers,
    need(from, to) {
      if (to <= from) return;
      const missing: number[] = [];
      for (let page = pageOf(from), last = pageOf(to - 1); page <= last; page++)
        if (isRead[page] === 0) missing.push(page);
      readMissing(missing);
    },
    needEach(rows, width) {
      const missing = new Set<number>();
      for (let i = 0; i < rows.length; i++)
        for (let page = pageOf(rows[i]! * width), last = pageOf((rows[i]! + 1) * width - 1); page <= last; page++)
          if (isRead[page] === 0) missing.add(page);
      readMissing([...missing].sort((a, b) => a - b));
    },
  };
}

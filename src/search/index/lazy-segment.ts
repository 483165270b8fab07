import type { SegmentPieces } from '../../model/segment.ts';
import type { Columns } from './columns.ts';
import { makeNumbers, viewNumbers, viewUnpacked } from './decode-section.ts';
import { sumNow, unpackNow } from './pack-bytes.ts';
import { type Body, codeWords, type Part, type Vectors } from './part.ts';
import { decodeEmbedder } from './read-segment.ts';
import { viewRuns } from './runs.ts';
import { type Directory, PAGE_BYTES, pageRange, readDirectory } from './segment-directory.ts';
import {
  COLUMN_NAMES,
  DamagedSegment,
  HEADER_BYTES,
  SECTION_NAMES,
  SEGMENT_VERSION,
  type SectionName,
  type Sections,
} from './segment-format.ts';
import { SegmentGone } from './segment-gone.ts';
import { countColumns, makePart, viewLabels, viewWords } from './segment-part.ts';
import { takeSparsely } from './sparse-section.ts';

/**
 * A segment of which nothing is read before it is used: what one command needs of a hundred thousand memories is a few words' postings, the codes and some
 * hundred vectors. Null where an earlier version wrote it. Throws DamagedSegment, also later, and SegmentGone when another process has swapped it out.
 */
export function openLazily(pieces: SegmentPieces): Part | null {
  const pages = createPages(pieces);
  const header = pages.read(0, HEADER_BYTES);
  if (header.length < 8 || new DataView(header.buffer, header.byteOffset).getUint32(4, true) !== SEGMENT_VERSION)
    return null;
  const directory = readDirectory(header, pages.read, sumNow);
  if (directory.length !== pieces.length || directory.from !== pieces.from || directory.to !== pieces.to)
    throw new DamagedSegment('its range is not the one it was stored under');
  pages.check(directory);
  const { facts, places } = directory;
  const sections = createSections(directory, pages.read);
  const columns = Object.defineProperties(
    countColumns(facts),
    Object.fromEntries(
      [...COLUMN_NAMES, 'labels' as const].map((name) => [
        name,
        { enumerable: true, get: name === 'labels' ? () => labelsOf(sections) : () => sections[name] },
      ]),
    ),
  ) as Columns;
  const labelsOf = remember(({ labelStart, labelBytes }: Sections) =>
    viewLabels({ count: labelStart.length - 1, starts: labelStart, bytes: labelBytes }),
  );
  const bytes = SECTION_NAMES.reduce((sum, name) => sum + places[name].length, 0);
  const body = createBody(directory, sections, pages);
  return makePart({ ...pieces, bytes, held: bytes, deletedIds: sections.deletedIds }, { columns, body, facts });
}

/** The result of the first call. */
function remember<A, B>(make: (from: A) => B): (from: A) => B {
  let made: { value: B } | null = null;
  return (from) => {
    made ??= { value: make(from) };
    return made.value;
  };
}

interface Pages {
  /** Bytes of the segment, by way of whole pages. */
  read: (offset: number, length: number) => Uint8Array;
  readPages(pages: readonly number[]): Uint8Array[];
  /** From now on every page is checked. */
  check(whose: Directory): void;
}

/** Small sections share a page: so many are kept until the next ones are read. */
const KEPT_PAGES = 8;

function createPages(pieces: SegmentPieces): Pages {
  let directory: Directory | null = null;
  const kept = new Map<number, Uint8Array>();
  const readPages = (pages: readonly number[]): Uint8Array[] => {
    const known = pages.length === 1 ? kept.get(pages[0]!) : undefined;
    if (known !== undefined) return [known];
    const read = pieces.read(pages);
    if (read === null) throw new SegmentGone();
    if (directory !== null) {
      for (const [i, page] of read.entries()) checkPage(directory, pages[i]!, page);
      if (kept.size >= KEPT_PAGES) kept.clear();
      kept.set(pages.at(-1)!, read.at(-1)!);
    }
    return read;
  };
  return {
    readPages,
    read(offset, length) {
      const first = Math.floor(offset / PAGE_BYTES);
      const count = Math.max(1, Math.ceil((offset + length) / PAGE_BYTES) - first);
      const target = new Uint8Array(length);
      for (const [i, page] of readPages(Array.from({ length: count }, (_, k) => first + k)).entries()) {
        const at = (first + i) * PAGE_BYTES;
        const start = Math.max(offset, at);
        target.set(page.subarray(start - at, Math.min(offset + length, at + page.length) - at), start - offset);
      }
      return target;
    },
    check(whose) {
      directory = whose;
    },
  };
}

type Read = Pages['read'];

function checkPage({ sums, end }: Directory, page: number, bytes: Uint8Array): void {
  const { start, stop } = pageRange(page, end);
  const own = bytes.subarray(start - page * PAGE_BYTES, stop - page * PAGE_BYTES);
  if (sumNow(own, 0) !== sums[page]) throw new DamagedSegment('wrong checksum');
}

/** Each is read as a whole when it is first asked for, but for those that are read by the row or list. */
function createSections(directory: Directory, read: Read): Sections {
  const sections = {};
  for (const name of SECTION_NAMES) {
    const get = () => {
      const value = readSection(name, directory, read);
      Object.defineProperty(sections, name, { enumerable: true, value });
      return value;
    };
    Object.defineProperty(sections, name, { enumerable: true, configurable: true, get });
  }
  return sections as Sections;
}

function readSection(name: SectionName, { places }: Directory, read: Read): Sections[SectionName] {
  const place = places[name];
  const { encoding, offset, stored, length } = place;
  const own = () => read(offset, stored);
  const numbers = makeNumbers(name, place, own);
  if (numbers !== null) return numbers;
  if (encoding === 'plain') return viewNumbers(name, own());
  return viewUnpacked(name, place, unpackNow(own(), length));
}

function createBody(directory: Directory, sections: Sections, pages: Pages): Body {
  const { facts, dimensions } = directory;
  const words = remember(() => {
    const take = <Name extends SectionName>(name: Name) => takeSparsely(name, { directory, sections, pages });
    const [termStart, termBytes] = [take('termStart'), take('termBytes')];
    const [postingStart, postingAt, postings] = [take('postingStart'), take('postingAt'), take('postings')];
    return viewWords({
      termStart: termStart.numbers,
      termBytes: termBytes.numbers,
      postingStart: postingStart.numbers,
      postingAt: postingAt.numbers,
      postings: postings.numbers,
      docs: facts.docs,
      needTerms(from, to) {
        termStart.need(from, to + 1);
        termBytes.need(termStart.numbers[from]!, termStart.numbers[to]!);
      },
      needCount: (term) => postingStart.need(term, term + 2),
      needPostings(term) {
        postingAt.need(term, term + 2);
        postings.need(postingAt.numbers[term]!, postingAt.numbers[term + 1]!);
      },
    });
  });
  const runs = remember(() => viewRuns(sections));
  const embedder = dimensions === 0 ? null : decodeEmbedder(sections);
  const vectors = embedder === null ? null : createVectors({ directory, sections, pages, embedder });
  return {
    get words() {
      return words(null);
    },
    vectors,
    get runs() {
      return runs(null);
    },
  };
}

interface VectorSource {
  directory: Directory;
  sections: Sections;
  pages: Pages;
  embedder: string;
}

function createVectors({ directory, sections, pages, embedder }: VectorSource): Vectors {
  const { facts, dimensions, places } = directory;
  if (places.rows.length !== facts.docs * dimensions || places.codes.length !== facts.docs * codeWords(dimensions) * 4)
    throw new DamagedSegment('sections do not fit each other');
  const rows = takeSparsely('rows', { directory, sections, pages });
  return {
    embedder,
    dimensions,
    complete: facts.complete,
    rows: rows.numbers,
    get codes() {
      return sections.codes;
    },
    get scales() {
      return sections.scales;
    },
    needRows(docs) {
      if (docs === null) rows.need(0, rows.numbers.length);
      else rows.needEach(docs, dimensions);
    },
  };
}

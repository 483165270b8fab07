import type { RecordId, Sequence } from '../../model/ids.ts';
import type { EmbedderId } from '../../model/passage.ts';
import type { SegmentId } from '../../model/segment.ts';
import type { Columns } from './columns.ts';
import type { Runs } from './runs.ts';

/** A word as the index looks it up. */
export interface Term {
  text: string;
  bytes: Uint8Array;
}

/** One whose bytes are made when they are first needed, and then kept with it: most are known by their text. */
export interface SoughtTerm {
  text: string;
  bytes?: Uint8Array | undefined;
  /** Where it was found when it was last counted, for whoever asks for the same word again and again. */
  counted?: CountedTerm | undefined;
}

/** What a table of words knows of one word. */
export interface CountedTerm {
  /** The number of the table; 0: none. */
  table: number;
  /** -1: the word is not in it. */
  place: number;
  docs: number;
}

/** The docs that hold a word, ascending, and how often each holds it (255 at most). */
export interface Postings {
  docs: Uint32Array;
  counts: Uint8Array;
}

export interface Words {
  find(term: SoughtTerm): Postings | null;
  /** The same for whoever reads it once: written to the beginning of what `room` gives for so many. Returns how many. */
  unpack(term: SoughtTerm, room: (size: number) => Postings): number;
  /** How many docs hold it, dead ones included. */
  count(term: SoughtTerm): number;
  /** How often a doc holds it, for whoever asks about few docs: the list need not be unpacked. Null where none does. */
  lookUp(term: SoughtTerm): ((doc: number) => number) | null;
  /** How often each doc holds it (255 at most), for words so common that they are looked up rather than walked through; null for all others. */
  countsByDoc(term: Term): Uint8Array | null;
  /** null where more than `most` begin so. */
  withPrefix(prefix: Term, most: number): Term[] | null;
  /** Terms one edit away, judged by `isNear`. */
  near(term: Term, isNear: (a: string, b: string) => boolean): Term[];
  /** Every term in the order of its bytes. */
  list(pace: () => Promise<void> | undefined): Promise<TermList>;
}

export interface TermList {
  count: number;
  bytesAt(index: number): Uint8Array;
  /** Into what `room` gives for as many; returns how many there are. */
  unpackAt(index: number, room: (size: number) => Postings): number;
}

/** Vectors of one embedder, one row for each doc. */
export interface Vectors {
  embedder: EmbedderId;
  dimensions: number;
  /** Sign bits, codeWords(dimensions) numbers of 32 bits for each doc. */
  codes: Uint32Array;
  /** Component = rows[doc × dimensions + i] × scales[doc]. */
  rows: Int8Array;
  /** 0 where the doc has no vector. */
  scales: Float32Array;
  /** No doc lacks its vector. */
  complete: boolean;
  /** Called before the rows of these docs are read, or of all of them; absent: they are all there. */
  needRows?(docs: Uint32Array | null): void;
}

export function codeWords(dimensions: number): number {
  return Math.ceil(dimensions / 32);
}

/** What takes the room: the words and the vectors. */
export interface Body {
  words: Words;
  vectors: Vectors | null;
  /** Null in a segment that was written before there were runs. */
  runs: Runs | null;
}

export interface SegmentFacts {
  id: SegmentId;
  from: Sequence;
  to: Sequence;
  bytes: number;
  /** Sorted ids that were deleted in its range; they hide records of older segments. */
  deletedIds: Uint8Array;
}

/** A piece of a space's index, either read from a segment or growing in memory, and what of it is dead by now. */
export interface Part {
  /** null: in memory only. */
  readonly segment: SegmentFacts | null;
  readonly columns: Columns;
  /** null: too much to keep; read from the store while it is needed. */
  readonly body: Body | null;
  /** The record's number here, dead or alive, or -1. */
  find(id: RecordId): number;
  deadRecords: Uint8Array;
  deadDocs: Uint8Array;
  liveRecords: number;
  liveDocs: number;
  /** Words of all live docs. */
  liveLength: number;
  /** Rough use of memory. */
  bytes: number;
}

/** Hides a record and its docs; false when it was dead already. */
export function kill(part: Part, record: number): boolean {
  if (part.deadRecords[record] === 1) return false;
  const { docStart, docLength } = part.columns;
  part.deadRecords[record] = 1;
  part.liveRecords--;
  for (let doc = docStart[record]!; doc < docStart[record + 1]!; doc++) {
    part.deadDocs[doc] = 1;
    part.liveDocs--;
    part.liveLength -= docLength[doc]!;
  }
  return true;
}

/** How many live docs hold the word. */
export function countLive(part: Part, postings: Postings): number {
  if (part.liveDocs === part.columns.docCount) return postings.docs.length;
  const { docs } = postings;
  const dead = part.deadDocs;
  let live = 0;
  for (let i = 0; i < docs.length; i++) live += 1 - dead[docs[i]!]!;
  return live;
}

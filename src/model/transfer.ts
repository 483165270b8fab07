import type { FeedEntry } from './change.ts';
import type { Instant, RecordId } from './ids.ts';
import type { JsonObject } from './json.ts';

/** A row as a database keeps it, column by column, without the space. Only another store looks into it. */
export type Row = Readonly<Record<string, string | number | null | Uint8Array>>;

/** Rows by table, each table's after those it refers to. */
export type RowSet = Readonly<Record<string, readonly Row[]>>;

/** What belongs to a space and is no record's, by its own order: graves, what replicas know of records, remembered answers, pieces of transcripts, what is sealed, counted reads. */
export const SIDE_PARTS = ['graves', 'stamps', 'waiting', 'receipts', 'chunks', 'sealed', 'reads'] as const;
export type SidePart = (typeof SIDE_PARTS)[number];

/** So many rows of each sort. */
export interface TransferCounts {
  records: number;
  versions: number;
  passages: number;
  vectors: number;
  relations: number;
  /** What the feed still keeps. */
  changes: number;
}

/** One step of filling a space from another database; the target takes all of it or nothing, together with how far the copy has come. */
export interface TransferStep {
  spaceCreatedAt: Instant;
  progress: JsonObject;
  /** These records, and nothing that was there about them before; those without a row are gone. Relations are left alone. */
  records?: { ids: readonly RecordId[]; rows: RowSet };
  /** The relations that begin at these records; one whose other end is not there yet is left out. */
  relations?: { ids: readonly RecordId[]; rows: RowSet };
  /** Entries that follow the last one. */
  feed?: readonly FeedEntry[];
  /** The last number that the source has given away. */
  lastNumber?: number;
  /** Everything after one place of a part's order up to another, or to its end. */
  side?: { part: SidePart; after: string | null; to: string | null; rows: RowSet };
}

import type { Instant, RecordId, SpaceId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Source, StoredRecord, Trust } from '../../model/record.ts';
import type { Redaction } from '../../model/redaction.ts';
import type { TagsInput } from '../../model/tags.ts';

/** A piece of a document under one heading, as a reader finds it. */
export interface DocumentSection {
  /** From the outermost heading to its own. */
  headings: readonly string[];
  text: string;
  /** From 1, where the format has pages (a slide is one). */
  page?: number;
  /** From 1: where the text begins in the file, where that is text itself. */
  line?: number;
}

/** What a reader makes of a file. */
export interface ReadDocument {
  /** `markdown`, `pdf` … */
  format: string;
  /** As the document names itself; null where it does not. */
  title: string | null;
  /** Labels that the file itself carries, such as the tags of front matter. */
  tags: readonly string[];
  pages: number | null;
  sections: readonly DocumentSection[];
  /** What of the file is missing here, and why. */
  warnings: readonly string[];
}

/** A document as it is listed. */
export interface DocumentSummary {
  id: RecordId;
  space: SpaceId;
  title: string;
  /** Where it came from: a path, a URL or the name of an upload. */
  uri: string;
  format: string;
  bytes: number;
  /** SHA-256 of the file, hexadecimal. */
  hash: string;
  pages: number | null;
  /** How many sections it has. */
  sections: number;
  /** `incomplete`: it is being ingested, or whoever did was interrupted; ingesting it again finishes it. */
  state: 'ready' | 'incomplete';
  /** Of one that is incomplete and asked for by itself: how many of its sections are there. */
  written?: number;
  tags: readonly string[];
  project: string | null;
  source: Source;
  trust: Trust;
  /** Of the file, where that is known. */
  modifiedAt: Instant | null;
  createdAt: Instant;
  updatedAt: Instant;
  deletedAt: Instant | null;
  revision: number;
}

/** A section as it is stored. */
export interface StoredSection {
  id: RecordId;
  /** From 0, in the order of the document. */
  ordinal: number;
  headings: readonly string[];
  page: number | null;
  line: number | null;
  content: string;
}

export interface IngestInput {
  /** The name of the file; its ending says what it is where `mediaType` does not. */
  name: string;
  /** Where it came from, which is also what tells it from others: ingesting the same again brings what has changed. Absent: its name. */
  uri?: string;
  bytes: Uint8Array;
  mediaType?: string;
  /** Absent: what the document calls itself, or its name. */
  title?: string;
  tags?: TagsInput;
  type?: string;
  project?: string;
  agent?: string;
  session?: string;
  conversation?: string;
  author?: string;
  /** Absent: `untrusted`, since nobody here wrote it; at most what the caller's own words are given. */
  trust?: Trust;
  modifiedAt?: Instant;
  /** Longest text of a section, and how much of its end the next one repeats where a section is cut. */
  sectionChars?: number;
  overlapChars?: number;
  /** Only say what would be done. */
  dryRun?: boolean;
  /** Store secrets as they are. Persons only. */
  noRedact?: boolean;
  onProgress?: (done: number, total: number) => void;
}

/** What can be said of a page; its text is nobody's here, whoever asks for it. */
export type IngestUrlInput = Omit<IngestInput, 'name' | 'uri' | 'bytes' | 'mediaType' | 'trust'> & { url: string };

/** How many sections were written, and how many there are as they were. */
export interface SectionCounts {
  added: number;
  /** The same text at another place, or with other labels. */
  moved: number;
  unchanged: number;
  removed: number;
}

export interface IngestOutcome {
  outcome: 'ingested' | 'updated' | 'unchanged' | 'would_ingest' | 'would_update';
  document: DocumentSummary;
  counts: SectionCounts;
  warnings: string[];
  redactions: Redaction[];
}

/** What a document's record keeps beside the fields of all records. */
export interface DocumentBody {
  uri: string;
  name: string;
  format: string;
  bytes: number;
  hash: string;
  pages: number | null;
  /** Ids of its sections, in order; while it is incomplete, also of those that are to go. */
  parts: RecordId[];
  /** Of these, those that somebody deleted by themselves. Ingesting the document again brings them back. */
  removed?: RecordId[];
  /** The first of its headings, so that it is found by them. */
  outline: string[];
  state: DocumentSummary['state'];
  modifiedAt: Instant | null;
  /** How it was cut. */
  cut: string;
}

export function readDocumentBody({ body }: { body: JsonObject }): DocumentBody {
  return body as unknown as DocumentBody;
}

/** Those of its sections that nobody has deleted by themselves, in order. */
export function listParts({ parts, removed = [] }: DocumentBody): RecordId[] {
  if (removed.length === 0) return parts;
  const gone = new Set(removed);
  return parts.filter((id) => !gone.has(id));
}

export function toDocument(record: StoredRecord): DocumentSummary {
  const { id, space, title, tags, project, source, trust, createdAt, updatedAt, deletedAt, revision } = record;
  const body = readDocumentBody(record);
  const { uri, format, bytes, hash, pages, state, modifiedAt } = body;
  const sections = listParts(body).length;
  const labels = { tags, project, source, trust, modifiedAt, createdAt, updatedAt, deletedAt, revision };
  return { id, space, title: title ?? uri, uri, format, bytes, hash, pages, sections, state, ...labels };
}

/** Where a section stands. It is the record's metadata, so that whoever reads it whole is told too. */
export interface SectionPlace {
  document: RecordId;
  /** Of the document. */
  title: string;
  uri: string;
  headings: string[];
  page: number | null;
  line: number | null;
  ordinal: number;
}

export function readPlace({ body }: { body: JsonObject }): SectionPlace {
  return (body.metadata ?? {}) as unknown as SectionPlace;
}

export function toSection(record: StoredRecord): StoredSection {
  const { headings, page, line, ordinal } = readPlace(record);
  return { id: record.id, ordinal, headings, page, line, content: record.content };
}

import type { Instant } from '../../../model/ids.ts';
import type { ImportedTranscript } from '../../../model/imported-parts.ts';
import type { JsonObject } from '../../../model/json.ts';
import type { Trust } from '../../../model/record.ts';
import type { SessionEvent } from '../../../model/session-event.ts';

/** A memory as another system has it. */
export interface ImportedMemory {
  /** Its name there: the same at every reading, so that nothing is imported twice. */
  id: string;
  content: string;
  type?: string | null;
  title?: string | null;
  tags?: readonly string[];
  metadata?: JsonObject;
  project?: string | null;
  agent?: string | null;
  session?: string | null;
  conversation?: string | null;
  author?: string | null;
  /** null where that system does not know. */
  createdAt: Instant | null;
  /** Its time is that of a file, which says nothing of the order in which things were said and changes when the file is copied. */
  isDatedByFile?: true;
  updatedAt?: Instant | null;
  validFrom?: Instant | null;
  validUntil?: Instant | null;
  deletedAt?: Instant | null;
  /** 0 to 1. */
  quality?: number;
  /** Absent: that of an agent. */
  trust?: Trust;
  /** The name of what took its place. */
  supersededBy?: string | null;
}

export interface ImportedRelation {
  from: string;
  to: string;
  type: string;
  weight?: number;
  createdAt: Instant | null;
}

/** What a system has to give, in the order of reading. */
export type Imported =
  | { memory: ImportedMemory }
  | { relation: ImportedRelation }
  /** A Core Memory Packet, as its bytes are. */
  | { packet: string; owner: string | null; receivedAt: Instant }
  /** Something that happened in a session, as it is captured here. */
  | { event: SessionEvent }
  /** A session to the byte, in a file of JSON lines that may be compressed. */
  | { transcript: ImportedTranscript }
  /** What stays behind, and why. */
  | { leftOut: string; why: string };

export interface Importer {
  /** As `--from` names it. */
  name: string;
  /** What it is, and what may be given for it. */
  about: string;
  /** Whether this file or folder is of that system; looks at no more than it must. */
  recognise(place: Place): Promise<boolean> | boolean;
  read(place: Place): AsyncIterable<Imported> | Iterable<Imported>;
  /** What its own settings say, in ours. */
  readSettings?(place: Place): ForeignSettings;
}

export interface ForeignSettings {
  /** By the names of ours; taken over where a person has set none. */
  settings: Readonly<Record<string, unknown>>;
  /** What is left to the person, in sentences. */
  told: readonly string[];
}

/** What somebody has named: a file with its beginning, or a folder. */
export interface Place {
  path: string;
  isFolder: boolean;
  /** Of a file, its first bytes as text. */
  head: string;
  /** Of an SQLite database, its tables with their columns. */
  tables: ReadonlyMap<string, readonly string[]>;
  changedAt: Instant;
}

export function asRow(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

export function textOr<T>(value: unknown, otherwise: T): string | T {
  return typeof value === 'string' && value.trim() !== '' ? value : otherwise;
}

/** A list, a text that holds one as JSON, or names parted by commas. */
export function listOf(value: unknown): string[] {
  if (Array.isArray(value))
    return value.filter((item) => typeof item === 'string' || typeof item === 'number').map(String);
  if (typeof value !== 'string' || value.trim() === '') return [];
  if (value.trimStart().startsWith('[')) {
    const parsed = parseJson(value);
    if (Array.isArray(parsed)) return listOf(parsed);
  }
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

export function parseJson(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // kept as text, or named by whoever asked
  }
}

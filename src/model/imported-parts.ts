import type { Instant } from './ids.ts';
import type { SessionEvent } from './session-event.ts';

/** A session to the byte, in a file of JSON lines that may be compressed. */
export interface ImportedTranscript {
  machine: string;
  tool: string;
  project: string;
  session: string;
  file: string;
  startedAt: Instant | null;
  source: string | null;
}

/** What other memory systems keep beside memories. */
export interface ImportedParts {
  /** A Core Memory Packet, as its bytes are. */
  packets: { text: string };
  events: SessionEvent;
  transcripts: ImportedTranscript;
}

export interface TakenImport {
  taken: number;
  unchanged: number;
  refused: string[];
  leftOut: { what: string; why: string }[];
}

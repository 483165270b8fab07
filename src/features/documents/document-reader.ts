import type { ReadDocument } from './document.ts';

export interface DocumentFile {
  /** Its ending says what it is, where `mediaType` and the content do not. */
  name: string;
  bytes: Uint8Array;
  mediaType?: string;
}

/** A file from elsewhere; `uri` is where it was found in the end. */
export interface FetchedFile extends DocumentFile {
  uri: string;
}

/** Makes text of files. Throws `invalid_input` for what it cannot read, `too_large` for what has no end. */
export interface DocumentReader {
  read(file: DocumentFile): Promise<ReadDocument>;
  /** What stands behind a URL, at most so many bytes; absent where nobody has allowed to ask for it. */
  fetch?(url: string, maxBytes: number): Promise<FetchedFile>;
  close(): Promise<void>;
}

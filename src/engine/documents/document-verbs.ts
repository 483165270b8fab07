import type { Caller } from '../../model/caller.ts';
import type { DocumentSummary, IngestInput, IngestOutcome, IngestUrlInput } from '../../model/document.ts';
import type { Page } from '../../model/page.ts';
import type { EngineParts } from '../engine-parts.ts';
import type {
  FoundDocument,
  GetDocumentInput,
  ListDocumentsInput,
  RemoveDocumentsInput,
  RemovedDocuments,
} from './read-documents.ts';

/** What can be done with documents. */
export interface DocumentVerbs {
  /** Largest document that is taken in. */
  readonly maxDocumentBytes: number;
  /** Only what has changed of one that is there already is written. */
  ingestDocument(caller: Caller, input: IngestInput): Promise<IngestOutcome>;
  /** The same for what stands behind a URL; `forbidden` where nobody has allowed that. */
  ingestUrl(caller: Caller, input: IngestUrlInput): Promise<IngestOutcome>;
  listDocuments(caller: Caller, input: ListDocumentsInput): Promise<Page<DocumentSummary>>;
  getDocument(caller: Caller, input: GetDocumentInput): Promise<FoundDocument>;
  removeDocuments(caller: Caller, input: RemoveDocumentsInput): Promise<RemovedDocuments>;
  restoreDocument(caller: Caller, input: { ref: string }): Promise<DocumentSummary>;
}

export function createDocumentVerbs(parts: EngineParts): DocumentVerbs {
  const reading = () => import('./read-documents.ts');
  return {
    maxDocumentBytes: parts.settings.maxDocumentBytes,
    ingestDocument: async (caller, input) =>
      (await import('./ingest-document.ts')).ingestDocument(parts, caller, input),
    ingestUrl: async (caller, input) => (await import('./ingest-document.ts')).ingestUrl(parts, caller, input),
    listDocuments: async (caller, input) => (await reading()).listDocuments(parts, caller, input),
    getDocument: async (caller, input) => (await reading()).getDocument(parts, caller, input),
    removeDocuments: async (caller, input) => (await reading()).removeDocuments(parts, caller, input),
    restoreDocument: async (caller, input) => (await reading()).restoreDocument(parts, caller, input),
  };
}

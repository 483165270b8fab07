import { ingestDocument, ingestUrl } from '../../verbs/documents/ingest-document.ts';
import {
  getDocument,
  listDocuments,
  removeDocument,
  removeDocuments,
  restoreDocument,
} from '../../verbs/documents/read-documents.ts';
import { inGroup } from '../../verbs/in-group.ts';

export const VERBS = inGroup('Documents', {
  ingestDocument,
  ingestUrl,
  listDocuments,
  getDocument,
  removeDocument,
  removeDocuments,
  restoreDocument,
});

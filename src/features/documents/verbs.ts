import { inGroup } from '../../verbs/in-group.ts';
import { ingestDocument, ingestUrl } from './verbs/ingest-document.ts';
import {
  getDocument,
  listDocuments,
  removeDocument,
  removeDocuments,
  restoreDocument,
} from './verbs/read-documents.ts';

export const VERBS = inGroup('Documents', {
  ingestDocument,
  ingestUrl,
  listDocuments,
  getDocument,
  removeDocument,
  removeDocuments,
  restoreDocument,
});

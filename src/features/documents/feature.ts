import type { ApiOf } from '../../engine/engine.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import type { LatePort } from '../../engine/late-port.ts';
import type { ClientOf } from '../../verbs/client.ts';
import { defineFeature } from '../feature.ts';
import { bound, late } from '../late.ts';
import { documentKind, sectionKind } from './document-kind.ts';
import type { DocumentReader } from './document-reader.ts';
import { settings } from './settings.ts';
import type { VERBS } from './verbs.ts';

const ingesting = () => import('./ingest-document.ts');
const reading = () => import('./read-documents.ts');

const api = {
  maxDocumentBytes: bound(({ settings }: EngineParts) => settings.maxDocumentBytes),
  ingestDocument: late(ingesting, 'ingestDocument'),
  ingestUrl: late(ingesting, 'ingestUrl'),
  listDocuments: late(reading, 'listDocuments'),
  getDocument: late(reading, 'getDocument'),
  removeDocuments: late(reading, 'removeDocuments'),
  restoreDocument: late(reading, 'restoreDocument'),
};

declare module '../../engine/engine-parts.ts' {
  interface EnginePorts {
    /** Absent or null: no documents are taken in. */
    documents?: LatePort<DocumentReader> | null;
  }
}

declare module '../../engine/engine.ts' {
  interface Engine extends ApiOf<typeof api> {}
}

declare module '../../verbs/client.ts' {
  interface Client extends ClientOf<typeof VERBS> {}
}

export const documents = defineFeature({
  name: 'documents',
  about: 'Ingesting files and pages, found section by section.',
  settings,
  kinds: [documentKind, sectionKind],
  removing: { [sectionKind.name]: async () => (await import('./removing.ts')).removing },
  closing: ['documents'],
  api,
  opens: { documents: { open: async () => (await import('./open-document-reader.ts')).openDocumentReader } },
  verbs: async () => (await import('./verbs.ts')).VERBS,
  answers: async () => (await import('./answers.ts')).ANSWERS,
  commands: async () => (await import('./commands.ts')).COMMANDS,
  tools: async () => (await import('./tools.ts')).listTools,
});

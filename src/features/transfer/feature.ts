import type { ApiOf } from '../../engine/engine.ts';
import type { ClientOf } from '../../verbs/client.ts';
import { defineFeature } from '../feature.ts';
import { late, lateStream } from '../late.ts';
import type { VERBS } from './verbs.ts';

const exporting = () => import('./export-records.ts');
const importing = () => import('./import-records.ts');

const api = {
  exportRecords: lateStream(exporting, 'exportRecords'),
  importRecords: late(importing, 'importRecords'),
};

declare module '../../engine/engine.ts' {
  interface Engine extends ApiOf<typeof api> {}
}

declare module '../../verbs/client.ts' {
  interface Client extends ClientOf<typeof VERBS> {}
}

export const transfer = defineFeature({
  name: 'transfer',
  about: 'Export, import, and reading what other memory systems keep.',
  needs: ['memories'],
  api,
  verbs: async () => (await import('./verbs.ts')).VERBS,
  answers: async () => (await import('./answers.ts')).ANSWERS,
  mends: async () => (await import('./mend-from-export.ts')).openExport,
  commands: async () => (await import('./commands.ts')).COMMANDS,
  recognise: async () => (await import('./name-foreign-database.ts')).nameForeignDatabase,
});

import type { ApiOf } from '../../engine/engine.ts';
import { defineFeature } from '../feature.ts';
import { late, lateStream } from '../late.ts';

const exporting = () => import('./export-records.ts');
const importing = () => import('./import-records.ts');

const api = {
  exportRecords: lateStream(exporting, 'exportRecords'),
  importRecords: late(importing, 'importRecords'),
};

declare module '../../engine/engine.ts' {
  interface Engine extends ApiOf<typeof api> {}
}

export const transfer = defineFeature({
  name: 'transfer',
  about: 'Export, import, and reading what other memory systems keep.',
  needs: ['memories'],
  api,
  verbs: async () => (await import('./verbs.ts')).VERBS,
  commands: async () => (await import('./commands.ts')).COMMANDS,
});

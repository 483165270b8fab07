import { MEMORY_TYPES } from '../model/memory-types.ts';
import type { CoreSettings } from './engine-settings.ts';

const MIB = 1024 * 1024;

export const CORE_SETTINGS: CoreSettings = {
  memoryTypes: MEMORY_TYPES,
  onDuplicate: 'report',
  duplicateThreshold: 0.85,
  duplicateWindowHours: 0,
  maxContentChars: 1_000_000,
  splitChars: 0,
  splitOverlapChars: 50,
  maxResponseChars: 0,
  indexBudgetBytes: 2048 * MIB,
  flushPassages: 4000,
  keepDeletedDays: 30,
  redact: 'replace',
  timeZone: 'UTC',
  wordsWeight: 1,
  meaningWeight: 1,
  decayWindowDays: 30,
  privacyPatterns: [],
  rankWithout: [],
};

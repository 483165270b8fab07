import { MEMORY_TYPES } from '../model/memory-types.ts';
import type { EngineSettings } from './engine-parts.ts';

const MIB = 1024 * 1024;

export const DEFAULT_SETTINGS: EngineSettings = {
  memoryTypes: MEMORY_TYPES,
  onDuplicate: 'report',
  duplicateThreshold: 0.85,
  duplicateWindowHours: 0,
  maxContentChars: 1_000_000,
  maxDocumentBytes: 50 * MIB,
  splitChars: 0,
  splitOverlapChars: 50,
  maxResponseChars: 0,
  indexBudgetBytes: 512 * MIB,
  flushPassages: 4000,
  keepDeletedDays: 30,
  keepTranscriptsDays: 0,
  keepObservationsDays: 365,
  redact: 'replace',
  timeZone: 'UTC',
  wordsWeight: 1,
  meaningWeight: 1,
  privacyPatterns: [],
  contextMaxEntries: 8,
  contextMaxTokens: 500,
  contextTimeoutMs: 300,
  summarizerDailyCalls: 1000,
  qualityScorer: false,
  consolidationSchedule: [],
  consolidationForget: 'careful',
  insightCards: false,
  maintainAutoResolve: false,
  insightExcludeTags: [],
  protectedTags: ['critical', 'important', 'reference', 'permanent'],
  protectedTypes: [],
  rankWithout: [],
};

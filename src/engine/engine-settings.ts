import type { OnDuplicate } from '../model/memory.ts';
import type { MemoryTypes } from '../model/memory-types.ts';
import type { RankingStep } from './search/ranking-steps.ts';

/** What the operator decides; `server/config.ts` fills it. */
export interface EngineSettings {
  memoryTypes: MemoryTypes;
  onDuplicate: OnDuplicate;
  /** Similarity from which a memory is called a near duplicate. */
  duplicateThreshold: number;
  /** How far back near duplicates are looked for; 0: any age. */
  duplicateWindowHours: number;
  /** Longest content of one memory, in characters. */
  maxContentChars: number;
  /** Split longer content into several memories of at most this many characters; 0: never. */
  splitChars: number;
  splitOverlapChars: number;
  /** Default of SearchQuery.maxChars; 0: unlimited. */
  maxResponseChars: number;
  /** Bytes that all loaded indexes together may take. */
  indexBudgetBytes: number;
  /** Cut the tail of the index into a segment past this many passages. */
  flushPassages: number;
  /** Deleted memories can be restored this long, then they are purged. */
  keepDeletedDays: number;
  timeZone: string;
  /** How much words and meaning count in hybrid search; 1 is as measured. */
  wordsWeight: number;
  meaningWeight: number;
  /** Where this server is reached, without a slash at the end. */
  publicUrl?: string | null;
  /** Parts of the ranking to leave out, for measuring what each is worth; none otherwise. */
  rankWithout: readonly RankingStep[];
}

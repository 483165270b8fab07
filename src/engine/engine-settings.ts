import type { OnDuplicate } from '../model/memory-types.ts';
import type { RedactMode } from '../model/redaction.ts';
import type { SearchSettings } from './searches/search-parts.ts';

/** What the operator decides of records of every kind and of memories. */
export interface CoreSettings extends SearchSettings {
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
  /** Changes that the feed keeps for whoever comes back; absent: two thousand. */
  keptChanges?: number;
  /** Deleted memories can be restored this long, then they are purged. */
  keepDeletedDays: number;
  /** What is done about secrets in what is about to be stored. */
  redact: RedactMode;
  /** Patterns of the person's own whose matches leave the program nowhere, as the setting gives them. */
  privacyPatterns: readonly unknown[];
  /** Where this server is reached, without a slash at the end. */
  publicUrl?: string | null;
}

/** What features and systems let the operator decide: each joins the values of its table, in its `settings.ts`. */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled by merging
export interface FeatureSettings {}

/** What the operator decides; `settings/config.ts` fills it. */
export interface EngineSettings extends CoreSettings, FeatureSettings {}

import type { Instant, RecordId, Sequence } from '../../model/ids.ts';
import type { RecordKind, Source, Trust } from '../../model/record.ts';

export interface UndoInput {
  /** The first change to undo, by its number in the feed; with nothing else, that one alone. */
  first?: Sequence;
  /** The last one. */
  last?: Sequence;
  /** All changes of a batch: what its writer has called it. */
  batch?: string;
  dryRun?: boolean;
}

/** What an undo does to one record or relation. */
export interface UndoneChange {
  id: RecordId;
  kind: RecordKind | null;
  title: string;
  /** `deleted`: it was new. `restored`: it had been deleted. `reverted`: it has its earlier content again. */
  what: 'deleted' | 'restored' | 'reverted' | 'unrelated' | 'related';
  /** Of a relation. */
  relation: { to: RecordId; type: string } | null;
}

export interface UndoOutcome {
  outcome: 'undone' | 'would_undo' | 'nothing';
  changes: UndoneChange[];
  /** What stays as it is, and why. */
  left: { id: RecordId; reason: string }[];
  /** The changes that were meant, by their numbers; null where there were none. */
  first: Sequence | null;
  last: Sequence | null;
}

export interface DiffInput {
  from: Instant;
  /** Now where nothing is said. */
  to?: Instant;
  project?: string;
  limit?: number;
}

export interface DiffEntry {
  id: RecordId;
  kind: RecordKind;
  title: string;
  change: 'added' | 'changed' | 'removed';
  /** Names of the fields that differ. */
  fields: string[];
  /** The content then and later; null where there was none. */
  was: string | null;
  is: string | null;
  /** Of the later one, or of the one that is gone. */
  trust: Trust;
  source: Source;
  at: Instant;
}

export interface Diff {
  fromAt: Instant;
  toAt: Instant;
  entries: DiffEntry[];
  /** How many there are in all. */
  total: number;
}

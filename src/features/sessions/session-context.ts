import type { RecordId } from '../../model/ids.ts';
import type { RecordKind } from '../../model/record.ts';

/** Why there is a block, or none. `search`: chosen by what the prompt says; `recency`: by what was done last. */
export const CONTEXT_REASONS = [
  ...(['search', 'recency', 'disabled', 'empty', 'quarantined', 'same_topic', 'timeout', 'error'] as const),
] as const;
export type ContextReason = (typeof CONTEXT_REASONS)[number];

/** The names that the block can be wrapped in; agents hand it back, and every one is removed before anything is stored. */
export const CONTEXT_TAGS = ['ltm-context', 'longmem-context'] as const;

export interface ContextRequest {
  project?: string | null;
  /** The agent's own id of the session: what it was given is remembered, and not given again. */
  session?: string;
  /** What the person asks; absent at the start of a session. */
  prompt?: string;
  event?: 'start' | 'prompt';
  maxTokens?: number;
  maxEntries?: number;
  timeoutMs?: number;
  tag?: (typeof CONTEXT_TAGS)[number];
  /** Only to look at: nothing is remembered as given. */
  preview?: boolean;
}

export interface ContextEntry {
  id: RecordId;
  kind: RecordKind;
  /** As it stands in the block. */
  line: string;
  /** Why it was chosen. */
  why: string;
}

export interface SessionContext {
  /** The block, its tags included; null where there is none. */
  context: string | null;
  reason: ContextReason;
  entries: ContextEntry[];
  /** What the block costs, by a careful estimate. */
  tokens: number;
  /** Lines that were left out because they hold what no screening may let pass. */
  withheld: number;
}

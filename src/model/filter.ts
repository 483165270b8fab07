import type { Instant, RecordId } from './ids.ts';
import type { RecordKind, Trust } from './record.ts';

/** What must hold of a record before it may be found or listed. Empty means: every live, current record. */
export interface RecordFilter {
  kinds?: readonly RecordKind[];
  types?: readonly string[];
  tags?: readonly string[];
  tagMatch?: 'any' | 'all';
  project?: string;
  workspace?: string;
  agent?: string;
  session?: string;
  conversation?: string;
  /** createdAt ≥ after. */
  after?: Instant;
  /** createdAt < before. */
  before?: Instant;
  minTrust?: Trust;
  /** Only records that mention this, under whatever name: `@ada`, `file:src/login.ts`. The engine turns it into ids. */
  entity?: string;
  /** Only these; the engine sets it where it has found them by other means. */
  ids?: readonly RecordId[];
  /** Superseded records, and those outside validFrom/validUntil, are left out unless this is true. */
  includeSuperseded?: boolean;
  /** The instant at which validFrom/validUntil are judged; set by the engine. */
  validAt?: Instant;
}

/** What records are counted by. */
export type Label = 'tag' | 'type' | 'project' | 'agent' | 'kind';

/** What only a listing can ask, since it reads rows. */
export interface ListFilter extends RecordFilter {
  key?: string;
  contentHash?: string;
  /** Case-insensitive substring of the content; every character is literal. */
  contains?: string;
  deleted?: 'exclude' | 'only' | 'include';
  /** Not created, changed or read since this instant. */
  idleSince?: Instant;
}

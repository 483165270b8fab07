import { EngineError } from './errors.ts';
import type { RecordId, Sequence, SpaceId } from './ids.ts';
import type { StoredRecord } from './record.ts';

/** Something whose bytes are not those that were written. */
export interface Damage {
  what: 'record' | 'version' | 'relation' | 'grave' | 'change' | 'receipt' | 'stamps' | 'chunk';
  /** Of the record; a change's is its number in the feed, a relation's that of the record where it begins, a chunk's its name. */
  id: string;
}

/** Told of what a read leaves out because it is damaged. A read that has nobody to tell fails with storage_damaged. */
export type NoteDamage = (damage: Damage) => void;

const MEND_HINT =
  '`ltm doctor --repair` restores what can be restored from earlier versions, and with `--from FILE` from a backup or an export.';

export function refuseDamage({ what, id }: Damage): never {
  throw new EngineError('storage_damaged', `The ${what} ${id} is damaged: it does not match its checksum.`, {
    hint: MEND_HINT,
    details: { what, id },
  });
}

/** For reads whose answer does not lack anything without the damaged ones. */
export const passOver: NoteDamage = () => {};

/** The records among what was noted, each once. */
export function collectDamage(): { note: NoteDamage; noted: Damage[]; ids(): RecordId[] } {
  const noted: Damage[] = [];
  return { noted, note: (damage) => void noted.push(damage), ids: () => [...new Set(noted.map(({ id }) => id))] };
}

const MAX_NAMED = 20;

/** One sentence for an answer that lacks something. */
export function describeLeftOut(ids: readonly RecordId[]): string {
  const more = ids.length > MAX_NAMED ? ` and ${ids.length - MAX_NAMED} more` : '';
  const named = `${ids.slice(0, MAX_NAMED).join(', ')}${more}`;
  return ids.length === 1
    ? `A damaged record was left out: ${named}. ${MEND_HINT}`
    : `${ids.length} damaged records were left out: ${named}. ${MEND_HINT}`;
}

/** What a space should have at `head`: rows that have vanished leave no other trace. */
export interface ExpectedRows extends RowCounts {
  head: Sequence;
}

export interface RowCounts {
  /** Deleted ones included. */
  records: number;
  live: number;
  versions: number;
  relations: number;
  graves: number;
}

export interface DamageReport {
  /** What the database itself says; empty when sound. */
  database: string[];
  checkedRecords: number;
  /** Records that do not match their checksum, or of which something that belongs to them does not. */
  damaged: DamagedRecord[];
}

/** Transactions that were acknowledged and are not in the database any more. */
export interface LostWrites {
  count: number;
  /** For people, with the way out. */
  message: string;
}

/** What has become of damaged parts of a record. */
export interface MendedParts {
  /** Put right by a single bit, as their checksum proves. */
  corrected: number;
  /** Taken from elsewhere. */
  taken: number;
  /** Damaged still. */
  left: number;
  /** Some are not there any more, and nothing has them: what is there counts from now on. */
  gone?: true;
}

export interface Salvage {
  /** As the row says, sound or not. */
  revision: number;
  /** What the row holds, sound or not; null where it makes no sense at all. */
  found: StoredRecord | null;
  /** Whether this is what was written. */
  matches(record: StoredRecord): boolean;
  /** What was written, where it differs from the row in a single bit. Takes up to a second. */
  correct(): StoredRecord | null;
}

export interface DamagedRecord {
  space: SpaceId;
  id: RecordId;
  parts: DamagedPart[];
}

export type DamagedPart =
  | 'the record'
  | 'its passages'
  | 'its tags'
  | 'an earlier version'
  | 'its vectors'
  | 'its relations';

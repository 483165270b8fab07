import type { SpaceId } from '../../model/ids.ts';
import type { Steps } from './statements.ts';

/** What rows work may see: those of one space; the list of spaces and nothing else; none (tables that belong to no space). */
export type Sight = { space: SpaceId } | 'list_of_spaces' | 'no_space';

export interface WriteOptions<T> {
  /** About how many rows it writes; 1 unless told. */
  weight?: number;
  /** What it deletes must leave the database's log too. */
  scrub?: boolean;
  /** False: all that was written is undone. */
  keeps?: (value: T) => boolean;
}

/** The little that the shared work wants of an adapter. Throws EngineErrors only. */
export interface SqlDatabase {
  /** One state of the database throughout, whatever others write meanwhile. */
  read<T>(sight: Sight, work: () => Steps<T>): Promise<T>;
  /** All of it or nothing. May run more than once, also after it has been committed (when a connection broke before the answer): it must not mind. */
  write<T>(sight: Sight, work: () => Steps<T>, options?: WriteOptions<T>): Promise<T>;
  /** One try, for what may wait; false, with nothing written, where others are writing just now. */
  tryWrite(sight: Sight, work: () => Steps<unknown>): Promise<boolean>;
  /** A word of its own for one write, kept with it, by which a second try knows that the first was committed; null where no connection can break. */
  newMark(): string | null;
}

import type { RecordId } from './ids.ts';

export interface Page<T> {
  items: T[];
  /** How many there are in all, over every page. */
  total: number;
  /** There may be more than `total`: nobody has counted further. */
  atLeast?: true;
  /** Pass it back to get the next page; null on the last one. */
  cursor: string | null;
  /** Records that belong here and were left out because they are damaged. */
  damaged?: RecordId[];
  /** What else the answer may lack, for people. */
  notices?: string[];
}

/** What a listing that names its items itself says beside them. */
export type PageFacts = Pick<Page<unknown>, 'total' | 'cursor' | 'damaged'>;

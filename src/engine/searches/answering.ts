import type { NoteDamage } from '../../model/damage.ts';
import type { SpaceId } from '../../model/ids.ts';
import type { Hit } from '../../model/search.ts';
import type { Scratch } from '../../search/scratch.ts';
import type { Found } from '../../search/search-words.ts';
import type { KeptRows } from './kept-rows.ts';
import type { SearchRequest } from './read-request.ts';
import type { SearchParts, SearchSettings } from './search-parts.ts';

/** What answering one search takes. */
export interface Answering {
  parts: SearchParts;
  settings: SearchSettings;
  spaces: readonly SpaceId[];
  request: SearchRequest;
  scratch: Scratch;
  kept: KeptRows;
  /** Told of what the answer leaves out. */
  note: NoteDamage;
}

/** One page of an answer, before the budget of characters cuts it. */
export interface FoundHits extends Omit<Found, 'findings' | 'isLean'> {
  hits: Hit[];
  /** There may be more than `total`. */
  atLeast?: true;
}

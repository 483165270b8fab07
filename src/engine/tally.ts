import type { SpaceId } from '../model/ids.ts';

/** What this process has counted and noticed since it started; shown by checkHealth. */
export interface Tally {
  searches: number;
  searchMs: number;
  /** Problems of background work by name; removed when the work succeeds again. */
  problems: Map<string, Problem>;
  /** Work that was started without waiting for it; close() does. */
  unfinished: Set<Promise<void>>;
  /** Called where so much has been stored that the next round of background work should not wait. */
  workLeft: () => void;
}

export interface Problem {
  /** Whose problem it is; null: everybody's. */
  space: SpaceId | null;
  message: string;
  /** Why, for whoever runs the server. */
  cause?: string;
}

export function createTally(): Tally {
  return { searches: 0, searchMs: 0, problems: new Map(), unfinished: new Set(), workLeft: () => undefined };
}

/** Under which name it is noted that the embedder does not answer. */
export const EMBEDDER_PROBLEM = 'embedding';

export function describeSilence(cause: string): Problem {
  return { space: null, message: 'The embedder does not answer, so search uses words only.', cause };
}

import type { Change } from '../model/change.ts';
import type { Instant, SpaceId } from '../model/ids.ts';

export interface CommitRequest {
  space: SpaceId;
  changes: readonly Change[];
  actor: string;
  now: Instant;
}

/** What an adapter does for each kind of change. */
export type ChangeAppliers<Work, Answer> = {
  [Op in Change['op']]: (work: Work, change: Extract<Change, { op: Op }>) => Answer;
};

export function applyChange<Work, Answer>(appliers: ChangeAppliers<Work, Answer>, work: Work, change: Change): Answer {
  // The compiler does not follow that the table's entry for an op takes the changes of that op.
  const apply: (work: Work, change: never) => Answer = appliers[change.op];
  return apply(work, change as never);
}

import type { Change } from '../../model/change.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { RecordKind } from '../../model/record.ts';
import type { Clock, Records, Relations, Store } from '../ports.ts';

/** A change of one record. */
export type RecordChange = Extract<Change, { id: RecordId }>;

/** What goes into the same commit as certain changes. */
export interface WhatFollows {
  /** It follows from changes of these operations, */
  readonly ops: readonly RecordChange['op'][];
  /** and from new states of records of these kinds. Nothing is loaded for a commit that has neither. */
  readonly revised: readonly RecordKind[];
  readonly plan: () => Promise<PlanFollowing>;
}

export interface Committing {
  space: SpaceId;
  /** All that is about to be committed. */
  changes: readonly Change[];
  /** Those of them from which something may follow. */
  causes: readonly RecordChange[];
  clock: Clock;
}

export type PlanFollowing = (store: Records & Relations, committing: Committing) => Promise<Change[]>;

/** Adds what follows to every commit, whoever asks for it; what is in the way of another writer is left out, and never what was asked for. */
export function withWhatFollows(store: Store, follows: WhatFollows, clock: Clock): Store {
  const mayCause = (change: Change): change is RecordChange =>
    change.op === 'put'
      ? typeof change.expect === 'number' && follows.revised.includes(change.content.kind)
      : follows.ops.some((op) => op === change.op);
  return {
    ...store,
    async commit(space, changes, actor) {
      const causes = changes.filter(mayCause);
      if (causes.length === 0) return store.commit(space, changes, actor);
      const plan = await follows.plan();
      for (let follow = await plan(store, { space, changes, causes, clock }); ; ) {
        const committed = await store.commit(space, follow.length === 0 ? changes : [...changes, ...follow], actor);
        if (committed.outcome === 'committed' || committed.conflict.index < changes.length) return committed;
        const inTheWay = committed.conflict.index - changes.length;
        follow = follow.filter((_change, i) => i !== inTheWay);
      }
    },
  };
}

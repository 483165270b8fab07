import { test } from 'node:test';
import type { AuthStore } from '../../../src/auth/ports.ts';
import type { Movable, Store } from '../../../src/engine/ports.ts';
import type { Committed } from '../../../src/model/change.ts';

export type FullStore = Store & AuthStore & Movable;

export interface StoreUnderTest {
  store: FullStore;
  /** The same database once more, as another process would open it; both stay open. */
  reopen(): Promise<FullStore>;
  /** Closes every store that was opened and removes what they kept. */
  destroy(): Promise<void>;
}

export type MakeStore = () => Promise<StoreUnderTest>;

/** One sentence of the contract, on a fresh and empty store. */
export type Promises = (sentence: string, check: (store: FullStore, under: StoreUnderTest) => Promise<void>) => void;

export function promisesOf(makeStore: MakeStore): Promises {
  return (sentence, check) => {
    test(sentence, async () => {
      const under = await makeStore();
      try {
        await check(under.store, under);
      } finally {
        await under.destroy();
      }
    });
  };
}

export function headOf(committed: Committed): number {
  if (committed.outcome === 'committed') return committed.head;
  throw new Error(`The commit met a conflict: ${JSON.stringify(committed.conflict)}`);
}

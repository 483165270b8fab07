import { EngineError } from '../model/errors.ts';
import type { Replication } from '../model/travel-port.ts';
import type { Store } from './ports.ts';

/** What of a store only reads. Whatever is added to a store and does not stand here is refused; the types ask for it. */
type Reader =
  | keyof Replication
  | 'guardsItsPages'
  | 'lostWrites'
  | 'expectKnownSchema'
  | 'getRecords'
  | 'listRecords'
  | 'lastChange'
  | 'listVersions'
  | 'listReplaced'
  | 'listRelations'
  | 'relationsBetween'
  | 'scanRelations'
  | 'listGraves'
  | 'countLabels'
  | 'lastNumber'
  | 'findUnindexed'
  | 'findReceipt'
  | 'listDeletions'
  | 'head'
  | 'changesAfter'
  | 'prunedTo'
  | 'readIndexEntries'
  | 'listIds'
  | 'readPassages'
  | 'listUnembedded'
  | 'listSegments'
  | 'readSegments'
  | 'openSegment'
  | 'readStatistics'
  | 'watch'
  | 'listSpaces'
  | 'listHeads'
  | 'readTime'
  | 'expectedRows'
  | 'inspect'
  | 'verify'
  | 'salvage'
  | 'listLost'
  | 'backup'
  | 'close';

/** What searches and background work write in passing: left undone, as if somebody else were doing it. */
const UNDONE = {
  replaceSegments: async () => false,
  dropVectors: async () => 0,
  recordReads: async () => {},
  takeLease: async () => false,
  releaseLease: async () => {},
  giveBackRoom: async () => {},
  gatherStatistics: async () => false,
} satisfies Partial<Store>;

type Refused = () => Promise<never>;
type Refusals = Record<Exclude<keyof Store, Reader | keyof typeof UNDONE | 'chunks' | 'sealed'>, Refused>;

/** The same store for somebody who only looks: what would write is refused with this message. */
export function readOnlyStore(store: Store, message: string): Store {
  const refuse: Refused = () => Promise.reject(new EngineError('storage_read_only', message));
  const refusals: Refusals = {
    commit: refuse,
    pruneReceipts: refuse,
    pruneFeed: refuse,
    keepPlace: refuse,
    keepTime: refuse,
    dropSpace: refuse,
    eraseTraces: refuse,
    mendVersions: refuse,
    mendRelations: refuse,
    mendDerived: refuse,
    recount: refuse,
    catchUp: refuse,
    dropStrays: refuse,
  };
  const { chunks, sealed } = store;
  return {
    ...store,
    ...refusals,
    ...UNDONE,
    // asked with a time, it would note that they are wanted
    chunks: { ...chunks, put: refuse, drop: refuse, find: (space, names) => chunks.find(space, names) },
    sealed: { ...sealed, putKeyring: refuse, put: refuse, drop: refuse },
  };
}

import type { NoteDamage } from '../../model/damage.ts';
import type { IndexEntry, Passage } from '../../model/passage.ts';
import type { StoredRecord } from '../../model/record.ts';
import type { IndexEntries, PassageReader } from '../../search/ports.ts';
import type { Passages, Records } from '../ports.ts';
import { type KindTable, passagesOf } from '../records/kind.ts';

/** The passages that follow from a record; none of a kind that only a newer version knows. */
export function derivePassages(kinds: KindTable, record: StoredRecord): Passage[] {
  const kind = kinds.find(record.kind);
  return kind === undefined ? [] : passagesOf(kind, record);
}

/** Reads passages; those that are damaged are made anew from their records. */
export function readWholePassages(store: Passages & Records, kinds: KindTable): PassageReader {
  return {
    async readPassages(space, ids, note: NoteDamage) {
      const passages = await store.readPassages(space, ids);
      const missing = ids.filter((id) => !passages.has(id));
      if (missing.length === 0) return passages;
      for (const record of await store.getRecords(space, missing, note))
        passages.set(record.id, derivePassages(kinds, record));
      return passages;
    },
  };
}

/** The same for what an index is made of. */
export function withWholeEntries<Given extends IndexEntries>(store: Given, kinds: KindTable): Given {
  return {
    ...store,
    readIndexEntries: async (space, ids) =>
      (await store.readIndexEntries(space, ids)).map((entry) => makeWhole(entry, kinds)),
  };
}

function makeWhole(entry: IndexEntry, kinds: KindTable): IndexEntry {
  const { record, damaged } = entry;
  if (damaged !== 'passages' || record === null || kinds.find(record.kind) === undefined) return entry;
  return { ...entry, passages: derivePassages(kinds, record) };
}

import type { Commits, Records } from '../../engine/ports.ts';
import type { Kind, KindTable } from '../../engine/records/kind.ts';
import type { Change, ImportChange } from '../../model/change.ts';
import type { SpaceId } from '../../model/ids.ts';
import type { RecordContent } from '../../model/record.ts';

/** Records that people name by number keep it where it is free here; the others are given the next ones. */
export async function giveNumbers(
  { store, kinds }: { store: Records & Commits; kinds: KindTable },
  space: SpaceId,
  changes: readonly ImportChange[],
): Promise<Change[]> {
  const isNumbered = ({ record }: ImportChange) => kinds.find(record.kind)?.numberOf !== undefined;
  if (!changes.some(isNumbered)) return [...changes];
  const last = await store.lastNumber(space);
  const taken = new Set<number>();
  const homeless: ImportChange[] = [];
  let next = last;
  for (const change of changes.filter(isNumbered)) {
    const kind = kinds.need(change.record.kind);
    const number = kind.numberOf!(change.record);
    if (taken.has(number) || (number <= last && (await isTaken(store, space, { kind, number })))) homeless.push(change);
    else {
      taken.add(number);
      next = Math.max(next, number);
    }
  }
  const given = new Map(homeless.map((change) => [change, ++next]));
  const numbered = changes.map((change) => {
    const number = given.get(change);
    return number === undefined ? change : renumber(kinds.need(change.record.kind), change, number);
  });
  return [...numbered, { op: 'number', after: last, upTo: next }];
}

async function isTaken(
  store: Records,
  space: SpaceId,
  { kind, number }: { kind: Kind; number: number },
): Promise<boolean> {
  const filter = { kinds: [kind.name], key: String(number), deleted: 'include', includeSuperseded: true } as const;
  const { items } = await store.listRecords(space, filter, { limit: 1, total: false }, () => {});
  return items.length > 0;
}

function renumber(kind: Kind, change: ImportChange, number: number): ImportChange {
  const again = <C extends RecordContent>(content: C): C => ({ ...content, ...kind.renumber!(content, number) });
  return {
    ...change,
    record: again(change.record),
    versions: change.versions.map((version) => ({ ...version, record: again(version.record) })),
  };
}

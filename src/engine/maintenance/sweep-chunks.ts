import { type NoteDamage, passOver } from '../../model/damage.ts';
import type { Instant, RecordId, SpaceId } from '../../model/ids.ts';
import type { StoredRecord } from '../../model/record.ts';
import type { Pieces, Records } from '../ports.ts';
import { readPages } from '../records/find-records.ts';
import type { KindTable } from '../records/kind.ts';

/** Pieces that belong to no record are those of an upload that is under way, or broke off: they are kept so long for whoever goes on with it. */
const KEEP_MS = 86_400_000;
const PAGE = 500;
const RECORDS = 50;

interface SweepParts {
  store: Records & Pieces;
  kinds: KindTable;
}

/** Records that hold pieces, deleted ones included, each with their names. */
export async function* listHolders(
  { store, kinds }: SweepParts,
  space: SpaceId,
  note?: NoteDamage,
): AsyncGenerator<{ record: StoredRecord; names: readonly string[] }> {
  const holding = kinds.names.filter((name) => kinds.need(name).chunksOf !== undefined);
  if (holding.length === 0) return;
  const filter = { kinds: holding, deleted: 'include', includeSuperseded: true } as const;
  for await (const { items } of readPages(store, space, { filter, limit: RECORDS, note }))
    for (const record of items) yield { record, names: kinds.need(record.kind).chunksOf?.(record) ?? [] };
}

/** Every piece that a record of the space holds. */
async function listHeld(parts: SweepParts, space: SpaceId): Promise<Set<string>> {
  const held = new Set<string>();
  for await (const { names } of listHolders(parts, space)) for (const name of names) held.add(name);
  return held;
}

/** Removes pieces that nothing holds any more. Where records are damaged nobody knows what they hold, and nothing is removed. */
export async function sweepChunks(parts: SweepParts, space: SpaceId, now: Instant): Promise<number> {
  const { chunks } = parts.store;
  if ((await chunks.list(space, '', 1)).length === 0) return 0;
  const held = await listHeld(parts, space);
  let swept = 0;
  for (let after = ''; ; ) {
    const page = await chunks.list(space, after, PAGE);
    const gone = page.filter(({ sha256, storedAt }) => !held.has(sha256) && storedAt < now - KEEP_MS);
    if (gone.length > 0)
      await chunks.drop(
        space,
        gone.map(({ sha256 }) => sha256),
      );
    swept += gone.length;
    if (page.length < PAGE) return swept;
    after = page.at(-1)!.sha256;
  }
}

/** The pieces that these records hold; asked before they are purged. */
export async function chunksHeldBy(
  { store, kinds }: SweepParts,
  space: SpaceId,
  ids: readonly RecordId[],
): Promise<string[]> {
  if ((await store.chunks.list(space, '', 1)).length === 0) return [];
  const held: string[] = [];
  for (let at = 0; at < ids.length; at += PAGE)
    for (const record of await store.getRecords(space, ids.slice(at, at + PAGE), passOver))
      held.push(...(kinds.find(record.kind)?.chunksOf?.(record) ?? []));
  return held;
}

/** Of pieces that purged records held, those that no other does: they go at once, as their records do. */
export async function dropUnheld(parts: SweepParts, space: SpaceId, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const held = await listHeld(parts, space);
  await parts.store.chunks.drop(
    space,
    [...new Set(names)].filter((name) => !held.has(name)),
  );
}

/** Of pieces that records hold: how many there are, and which are gone. */
export async function findMissingPieces(
  parts: SweepParts,
  space: SpaceId,
): Promise<{ held: number; gone: { record: StoredRecord; names: string[] }[] }> {
  const gone: { record: StoredRecord; names: string[] }[] = [];
  let held = 0;
  for await (const { record, names } of listHolders(parts, space, passOver)) {
    held += names.length;
    const there = new Set((await parts.store.chunks.find(space, names)).map(({ sha256 }) => sha256));
    const missing = names.filter((name) => !there.has(name));
    if (missing.length > 0) gone.push({ record, names: missing });
  }
  return { held, gone };
}

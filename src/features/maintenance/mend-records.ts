import type { EngineParts } from '../../engine/engine-parts.ts';
import { findFaults, type KindTable, passagesOf } from '../../engine/records/kind.ts';
import type { ImportedState, MendChange } from '../../model/change.ts';
import { type DamagedPart, type DamagedRecord, type MendedParts, passOver, type Salvage } from '../../model/damage.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { MendSource } from '../../model/mend-source.ts';
import type { StoredRecord } from '../../model/record.ts';

export interface Mended {
  repaired: string[];
  /** What is damaged and stays so, with the way out. */
  left: string[];
}

/** What a mended record brings in order again. */
const DERIVED: readonly DamagedPart[] = ['the record', 'its passages', 'its tags'];

/**
 * Whatever follows from a sound record (its passages, its tags) is made anew. A record that is not sound is put back as it was written where that
 * can be proven by its checksum, else from the source or its newest sound version, whichever is newer. Everything else is left as it is, and named.
 */
export async function mendRecords(
  parts: EngineParts,
  damaged: readonly DamagedRecord[],
  source: MendSource | null,
): Promise<Mended> {
  const mended: Mended = { repaired: [], left: [] };
  for (const { space, id, parts: which } of damaged) {
    if (which.some((part) => DERIVED.includes(part))) {
      const done = await mendRecord(parts, { space, id, source });
      if (done === null) mended.left.push(`${id}: ${NO_SOURCE}`);
      else mended.repaired.push(`${id} ${done}`);
    }
    if (which.includes('an earlier version')) {
      const given = (await source?.findVersions(space, id)) ?? [];
      const about = { id, part: 'earlier version', wayOut: NO_VERSION };
      tellParts(mended, await parts.store.mendVersions(space, id, given), about);
    }
    if (which.includes('its relations')) {
      const given = (await source?.findRelations(space, id)) ?? [];
      const about = { id, part: 'relation', wayOut: NO_RELATION };
      tellParts(mended, await parts.store.mendRelations(space, id, given), about);
    }
  }
  return mended;
}

/** Records of which no more is left than what hangs on them come back from the source or an earlier version; of the others that goes too, for nothing leads to it. */
export async function mendLost(parts: EngineParts, space: SpaceId, source: MendSource | null): Promise<string[]> {
  const done: string[] = [];
  for (const id of await parts.store.listLost(space)) {
    const how = await mendRecord(parts, { space, id, source });
    if (how !== null) done.push(`${id}, which was gone, ${how}`);
  }
  const rows = await parts.store.dropStrays(space);
  if (rows > 0)
    done.push(`What was left in the space ${space} of records that are not there was removed (${rows} rows).`);
  return done;
}

const NO_VERSION = 'Nothing tells what it was: give a backup or an export that has it with --from FILE.';
const NO_RELATION =
  'Give a backup or an export that has it with --from FILE, or relate the records again, which replaces it.';

function tellParts(
  { repaired, left }: Mended,
  { corrected, taken, left: open, gone }: MendedParts,
  { id, part, wayOut }: { id: RecordId; part: string; wayOut: string },
): void {
  const some = (count: number) => (count === 1 ? `one ${part}` : `${count} ${part}s`);
  if (corrected > 0) repaired.push(`${id}: ${some(corrected)} put right by one bit, as the checksum proves.`);
  if (taken > 0) repaired.push(`${id}: ${some(taken)} taken from the file.`);
  if (gone === true) left.push(`${id}: some of its ${part}s are gone. What is there counts from now on.`);
  if (open > 0) left.push(`${id}: ${some(open)} damaged, and not shown. ${wayOut}`);
}

const NO_SOURCE =
  'it has no sound earlier version. Give a backup or an export with --from FILE, or remove it for good with `ltm purge`.';

interface Patient {
  space: SpaceId;
  id: RecordId;
  source: MendSource | null;
}

/** What was done; null where nothing could be. */
async function mendRecord(parts: EngineParts, { space, id, source }: Patient): Promise<string | null> {
  const { store } = parts;
  const left = await store.salvage(space, id);
  const given = (await source?.find(space, id)) ?? null;
  const exact = left === null ? null : findExact(parts, left, given);
  if (exact !== null) {
    const done = await write(parts, { record: exact, expect: left!.revision });
    return done ? 'is as it was written again; what follows from it was made anew.' : null;
  }
  const [version] = await listSound(parts, space, id);
  const isNewer = given !== null && (version === undefined || given.revision >= version.revision);
  const earlier = isNewer ? given : version;
  if (earlier === undefined) return null;
  const revision = Math.max(earlier.revision, version?.revision ?? 0, plausible(left?.revision)) + 1;
  const record: ImportedState = { ...earlier, space, revision, dot: null };
  const done =
    (await write(parts, { record, expect: left?.revision ?? null })) ||
    (await write(parts, { record: { ...record, key: null }, expect: left?.revision ?? null }));
  if (!done) return null;
  return isNewer
    ? `was taken from the file, as of revision ${earlier.revision}.`
    : `has its text of revision ${earlier.revision} again.`;
}

/** A damaged number may be any. */
function plausible(revision: number | undefined): number {
  return revision !== undefined && Number.isInteger(revision) && revision > 0 && revision < 1_000_000 ? revision : 0;
}

function findExact({ kinds }: { kinds: KindTable }, left: Salvage, given: ImportedState | null): StoredRecord | null {
  const { found, matches, correct } = left;
  const kind = found === null ? undefined : kinds.find(found.kind);
  const derived = found === null || kind === undefined ? null : { ...found, ...kind.derive(found) };
  const candidates = [found, derived, given?.dot == null ? null : { ...given, dot: given.dot }];
  return candidates.find((candidate) => candidate !== null && matches(candidate)) ?? correct();
}

async function listSound(parts: EngineParts, space: SpaceId, id: RecordId): Promise<StoredRecord[]> {
  const sound: StoredRecord[] = [];
  for (const { record } of await parts.store.listVersions(space, id, passOver)) {
    const kind = parts.kinds.find(record.kind);
    if (kind !== undefined && (await findFaults(kind, record)).length === 0) sound.push(record);
  }
  return sound;
}

async function write(
  parts: EngineParts,
  { record, expect }: { record: ImportedState; expect: number | null },
): Promise<boolean> {
  const passages = passagesOf(parts.kinds.need(record.kind), record);
  const change: MendChange = { op: 'mend', record, passages, expect };
  return (await parts.store.commit(record.space, [change], 'job:repair')).outcome === 'committed';
}

import type { Clock, Records } from '../../engine/ports.ts';
import { type KindTable, passagesOf } from '../../engine/records/kind.ts';
import { contentOf, updateChange } from '../../engine/records/record-changes.ts';
import { canonicalJson } from '../../model/canonical-json.ts';
import type { ImportedState, PutChange } from '../../model/change.ts';
import { passOver } from '../../model/damage.ts';
import type { RecordContent, StoredRecord } from '../../model/record.ts';

/** By this reason a version is known as one that an import took the place of. */
const AGAIN = 'imported again';

/** What an import governs; how it is rated and what took its place belongs to this database. */
const GOVERNED = [
  ...(['type', 'title', 'content', 'contentHash', 'tags', 'project', 'author', 'body'] as const),
  ...(['validFrom', 'validUntil'] as const),
] satisfies (keyof RecordContent)[];

export type ImportedAgain =
  | { outcome: 'same' }
  | { outcome: 'update'; change: PutChange }
  /** It belongs to whoever changed or deleted it here. */
  | { outcome: 'changed_here'; why: string };

/** What becomes of a record that an earlier import brought, where the source says something else now. */
export async function updateImported(
  { store, kinds, clock }: { store: Records; kinds: KindTable; clock: Clock },
  known: StoredRecord,
  imported: ImportedState,
): Promise<ImportedAgain> {
  const versions = known.revision === 1 ? [] : await store.listVersions(known.space, known.id, passOver);
  const wasImported = [known, ...versions.map(({ record }) => record)].some(({ source }) => source.door === 'import');
  if (!wasImported || known.kind !== imported.kind)
    return { outcome: 'changed_here', why: 'a different record with this id already exists.' };
  const governed = pickGoverned(imported);
  if (canonicalJson(pickGoverned(known)) === canonicalJson(governed)) return { outcome: 'same' };
  if (known.deletedAt !== null)
    return { outcome: 'changed_here', why: 'it was deleted here since it was imported, and stays deleted.' };
  if (known.revision > 1 && versions[0]?.reason !== AGAIN)
    return { outcome: 'changed_here', why: 'it was changed here since it was imported, and is left as it is.' };
  const content = { ...contentOf(known), ...governed, updatedAt: clock.now() };
  const searchable = { passages: passagesOf(kinds.need(known.kind), content), vectors: [] };
  return {
    outcome: 'update',
    change: updateChange(known, content, { ...searchable, unlessDuplicate: false, reason: AGAIN }),
  };
}

function pickGoverned(record: RecordContent): Pick<RecordContent, (typeof GOVERNED)[number]> {
  return Object.fromEntries(GOVERNED.map((name) => [name, record[name]])) as never;
}

import { createTurns } from '../../engine/create-turns.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import { type DeletedRecords, deleteRecords, restoreRecords } from '../../engine/records/delete-records.ts';
import { isContentHash } from '../../engine/records/find-records.ts';
import type { Caller } from '../../model/caller.ts';
import type { RecordKind, StoredRecord } from '../../model/record.ts';
import { isArchived, restoreArchived } from '../consolidation/restore-archived.ts';
import type { DeleteSectionsInput } from '../documents/delete-sections.ts';
import { sectionKind } from '../documents/document-kind.ts';
import { memoryKind } from './memory-kind.ts';

const MAX_SHOWN = 100;

const kind = memoryKind.name;
const ofDocuments = () => import('../documents/delete-sections.ts');
/** Passages of one document change its record together. */
const turns = () => createTurns();

/** Memories, and passages of documents where they are named, as searches name them, or where the filter asks for that kind. */
export function deleteNamedOrFiltered(
  parts: EngineParts,
  caller: Caller,
  input: DeleteSectionsInput,
): Promise<DeletedRecords> {
  return input.refs !== undefined && input.refs.length > 0
    ? deleteNamed(parts, caller, input)
    : deleteByFilter(parts, caller, input);
}

/** What was archived is whole again; passages of documents come back with their document. */
export async function restoreNamed(
  parts: EngineParts,
  caller: Caller,
  refs: readonly string[],
): Promise<{ restored: StoredRecord[]; missing: string[] }> {
  const { restored, missing } = await restoreRecords(parts, caller, { kind, refs });
  const back: StoredRecord[] = [];
  for (const record of restored) back.push(isArchived(record) ? await restoreArchived(parts, caller, record) : record);
  if (missing.length === 0) return { restored: back, missing };
  const sections = await parts.state(turns)(caller.space, async () =>
    (await ofDocuments()).restoreSections(parts, caller, missing),
  );
  return { restored: [...back, ...sections.restored], missing: sections.missing };
}

function deleteSections(parts: EngineParts, caller: Caller, input: DeleteSectionsInput): Promise<DeletedRecords> {
  return parts.state(turns)(caller.space, async () => (await ofDocuments()).deleteSections(parts, caller, input));
}

async function deleteByFilter(parts: EngineParts, caller: Caller, input: DeleteSectionsInput): Promise<DeletedRecords> {
  const { filter } = input;
  const kinds = filter?.kinds ?? [kind];
  const only = (wanted: readonly RecordKind[]) => ({ ...input, filter: { ...filter, kinds: wanted } });
  if (!kinds.includes(sectionKind.name)) return deleteRecords(parts, caller, { ...input, kind });
  const others = kinds.filter((name) => name !== sectionKind.name);
  const first = others.length === 0 ? null : await deleteRecords(parts, caller, { ...only(others), kind });
  return join(first, await deleteSections(parts, caller, only([sectionKind.name])));
}

/** A hash names a text wherever it stands; an id that is no memory's may be a passage's. */
async function deleteNamed(parts: EngineParts, caller: Caller, input: DeleteSectionsInput): Promise<DeletedRecords> {
  const { refs = [], revision } = input;
  const first = await deleteRecords(parts, caller, { ...input, kind });
  const missing = new Set(first.missing);
  const others = refs.filter((ref) => missing.has(ref) || (isContentHash(ref) && revision === undefined));
  if (others.length === 0) return first;
  const second = await deleteSections(parts, caller, { ...input, refs: others });
  return { ...join(first, second), missing: second.missing.filter((ref) => missing.has(ref)) };
}

function join(first: DeletedRecords | null, second: DeletedRecords): DeletedRecords {
  if (first === null) return second;
  const records = [...first.records, ...second.records].slice(0, MAX_SHOWN);
  return { ...first, records, count: first.count + second.count, missing: [] };
}

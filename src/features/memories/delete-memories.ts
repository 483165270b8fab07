import type { EngineParts } from '../../engine/engine-parts.ts';
import { deleteRecords, restoreRecords } from '../../engine/records/delete-records.ts';
import type { DeletedRecords, DeleteRecordsInput } from '../../engine/records/deletion.ts';
import { isContentHash } from '../../engine/records/find-records.ts';
import type { Caller } from '../../model/caller.ts';
import type { RecordKind, StoredRecord } from '../../model/record.ts';
import { memoryKind } from './memory-kind.ts';

const MAX_SHOWN = 100;

const kind = memoryKind.name;

type DeleteInput = Omit<DeleteRecordsInput, 'kind'>;

/** Memories, and records of kinds that are deleted in a way of their own where they are named, as searches name them, or where the filter asks for that kind. */
export function deleteNamedOrFiltered(parts: EngineParts, caller: Caller, input: DeleteInput): Promise<DeletedRecords> {
  return input.refs !== undefined && input.refs.length > 0
    ? deleteNamed(parts, caller, input)
    : deleteByFilter(parts, caller, input);
}

/** Each as its features want it back: what was archived is whole again, a section comes back with its document. */
export async function restoreNamed(
  parts: EngineParts,
  caller: Caller,
  refs: readonly string[],
): Promise<{ restored: StoredRecord[]; missing: string[] }> {
  const first = await restoreRecords(parts, caller, { kind, refs });
  const restored: StoredRecord[] = [];
  for (let record of first.restored) {
    for (const load of parts.restoring) record = await (await load())(parts, caller, record);
    restored.push(record);
  }
  let { missing } = first;
  for (const load of Object.values(parts.removing)) {
    if (missing.length === 0) break;
    const others = await (await load()).restore(parts, caller, missing);
    restored.push(...others.restored);
    missing = others.missing;
  }
  return { restored, missing };
}

async function deleteByFilter(parts: EngineParts, caller: Caller, input: DeleteInput): Promise<DeletedRecords> {
  const { filter } = input;
  const kinds = filter?.kinds ?? [kind];
  const only = (wanted: readonly RecordKind[]) => ({ ...input, filter: { ...filter, kinds: wanted } });
  const others = kinds.filter((name) => parts.removing[name] === undefined);
  if (others.length === kinds.length) return deleteRecords(parts, caller, { ...input, kind });
  let deleted = others.length === 0 ? null : await deleteRecords(parts, caller, { ...only(others), kind });
  for (const name of kinds) {
    const removing = await parts.removing[name]?.();
    if (removing !== undefined) deleted = join(deleted, await removing.delete(parts, caller, only([name])));
  }
  return deleted!;
}

/** A hash names a text wherever it stands; an id that is no memory's may be that of a record of such a kind. */
async function deleteNamed(parts: EngineParts, caller: Caller, input: DeleteInput): Promise<DeletedRecords> {
  const { refs = [], revision } = input;
  let deleted = await deleteRecords(parts, caller, { ...input, kind });
  for (const load of Object.values(parts.removing)) {
    const missing = new Set(deleted.missing);
    const others = refs.filter((ref) => missing.has(ref) || (isContentHash(ref) && revision === undefined));
    if (others.length === 0) return deleted;
    const more = await (await load()).delete(parts, caller, { ...input, refs: others });
    deleted = { ...join(deleted, more), missing: more.missing.filter((ref) => missing.has(ref)) };
  }
  return deleted;
}

function join(first: DeletedRecords | null, second: DeletedRecords): DeletedRecords {
  if (first === null) return second;
  const records = [...first.records, ...second.records].slice(0, MAX_SHOWN);
  return { ...first, records, count: first.count + second.count, missing: [] };
}

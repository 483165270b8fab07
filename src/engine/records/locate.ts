import type { Caller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { SpaceId } from '../../model/ids.ts';
import type { StoredRecord } from '../../model/record.ts';
import { type Action, authorize } from '../authorize.ts';
import type { EngineParts } from '../engine-parts.ts';
import { findByRef, type RefOptions } from './find-records.ts';
import { wordsFor } from './kind.ts';

export type Wanted = { ref: string; action: Action } & RefOptions;

/** The records a ref names in the first of the caller's spaces that has any; its own space is asked first. */
export async function locateAll(parts: EngineParts, caller: Caller, wanted: Wanted): Promise<StoredRecord[]> {
  for (const space of spacesOf(caller)) {
    authorize(caller, 'read', space);
    const found = await findByRef(parts.store, space, wanted.ref.trim(), wanted);
    if (found.length === 0) continue;
    authorize(caller, wanted.action, space);
    return found;
  }
  return [];
}

/** The one record a ref means; absent, foreign and purged ones look the same. */
export async function locate(parts: EngineParts, caller: Caller, wanted: Wanted): Promise<StoredRecord> {
  const [record] = await locateAll(parts, caller, wanted);
  if (record !== undefined) return record;
  const { name, plural } = wordsFor(parts.kinds, wanted.kind);
  throw new EngineError('not_found', `There is no such ${name}.`, {
    hint: `It may be deleted: deleted ${plural} can be restored for a while.`,
    details: { ref: wanted.ref },
  });
}

export function spacesOf(caller: Caller): SpaceId[] {
  return [caller.space, ...caller.spaces.filter((space) => space !== caller.space)];
}

export function groupBySpace(records: readonly StoredRecord[]): Map<SpaceId, StoredRecord[]> {
  return Map.groupBy(records, (record) => record.space);
}

import type { Caller } from '../../model/caller.ts';
import type { RecordVersion } from '../../model/record.ts';
import type { EngineParts } from '../engine-parts.ts';
import { locate } from './locate.ts';

export async function listVersions(parts: EngineParts, caller: Caller, ref: string): Promise<RecordVersion[]> {
  const record = await locate(parts, caller, { ref, action: 'read', deleted: 'include' });
  return parts.store.listVersions(record.space, record.id);
}

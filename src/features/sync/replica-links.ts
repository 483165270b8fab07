import { authorize } from '../../engine/authorize.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import type { Caller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { JsonObject } from '../../model/json.ts';

export async function listLinks(
  { store }: EngineParts,
  caller: Caller,
): Promise<{ name: string; state: JsonObject }[]> {
  authorize(caller, 'read', caller.space);
  return store.listLinks(caller.space);
}

export async function keepLink(
  { store }: EngineParts,
  caller: Caller,
  link: { name: string; state: JsonObject | null },
): Promise<void> {
  authorize(caller, 'write', caller.space);
  const state = link.state === null ? null : { ...link.state, seq: await store.head(caller.space) };
  const committed = await store.commit(caller.space, [{ op: 'link', name: link.name, state }], 'sync');
  if (committed.outcome === 'conflict') throw new EngineError('internal', 'A link could not be kept.');
}

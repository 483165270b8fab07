import type { Caller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { EmbedderId } from '../../model/passage.ts';
import { authorize } from '../authorize.ts';
import type { EngineParts } from '../engine-parts.ts';

/** Removes the vectors of embedders that are not used any more, in all of the caller's spaces. Returns how many. */
export async function dropVectors(
  { store, embedder, indexes }: EngineParts,
  caller: Caller,
  embedders: readonly EmbedderId[],
): Promise<number> {
  let dropped = 0;
  for (const space of caller.spaces) {
    authorize(caller, 'admin', space);
    const used = [embedder?.id, (await indexes.embedderOf(space))?.id];
    const wanted = embedders.find((id) => used.includes(id));
    if (wanted !== undefined)
      throw new EngineError('conflict', `The vectors of ${wanted} are in use.`, {
        hint: 'Change the embedder first, and let the new one catch up.',
      });
    for (const id of embedders) dropped += await store.dropVectors(space, id);
  }
  return dropped;
}

import type { Caller } from '../../model/caller.ts';
import { authorize } from '../authorize.ts';
import type { EngineParts } from '../engine-parts.ts';
import { spacesOf } from './locate.ts';

export type Label = 'tag' | 'type' | 'project' | 'agent' | 'kind';

/** Over all of the caller's spaces, the most frequent first. */
export async function countLabels(
  { store }: EngineParts,
  caller: Caller,
  label: Label,
): Promise<{ value: string; count: number }[]> {
  const counts = new Map<string, number>();
  for (const space of spacesOf(caller)) {
    authorize(caller, 'read', space);
    for (const { value, count } of await store.countLabels(space, label))
      counts.set(value, (counts.get(value) ?? 0) + count);
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

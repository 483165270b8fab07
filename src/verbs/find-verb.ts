import { MEMORY_VERBS, SEARCH_VERBS } from './memories/memory-verbs.ts';
import type { AnyVerb, VerbTable } from './verb.ts';

/** By its name in the table of verbs. What people do most is found without loading the whole table. */
export async function findVerb(name: string): Promise<AnyVerb | undefined> {
  const often: VerbTable = { ...MEMORY_VERBS, ...SEARCH_VERBS };
  if (Object.hasOwn(often, name)) return often[name];
  const { VERBS }: { VERBS: VerbTable } = await import('./verb-table.ts');
  return Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
}

import type { Caller } from '../../model/caller.ts';
import { passOver } from '../../model/damage.ts';
import type { SpaceId } from '../../model/ids.ts';
import { factsOf, type RelationFacts, type RelationKey } from '../../model/relation.ts';
import type { Commits, Relations } from '../ports.ts';
import { commitInBatches } from './change-record.ts';
import { actorOf } from './origin.ts';

const PAGE = 1000;

type Stated = Pick<RelationFacts, 'by' | 'client' | 'agent' | 'session'>;

/** What a relation says of where it comes from, by the names that a source may have; `by` is `door:user`. */
const ORIGINS: Readonly<Record<string, (facts: Stated) => readonly (string | undefined)[]>> = {
  door: ({ by }) => [by?.split(':')[0]],
  user: ({ by }) => [by?.split(':').slice(1).join(':')],
  client: ({ client }) => [client, client?.split('/')[0]],
  agent: ({ agent }) => [agent],
};

/** Relations that a source has stated, or that were stated in a session, now or before they were said anew. */
export async function findStated(
  { store }: { store: Relations },
  space: SpaceId,
  { source, session }: { source?: string; session?: string },
): Promise<RelationKey[]> {
  const [, name = '', rest = ''] = /^(\w+):(.*)$/s.exec(source ?? '') ?? [];
  const origin = Object.hasOwn(ORIGINS, name) ? ORIGINS[name] : undefined;
  // A host states nothing by itself.
  if (name === 'host') return [];
  const wanted = (origin === undefined ? (source ?? '') : rest).trim();
  const origins = origin === undefined ? Object.values(ORIGINS) : [origin];
  const isMeant = (facts: Stated): boolean =>
    (source === undefined || origins.some((valuesOf) => valuesOf(facts).includes(wanted))) &&
    (session === undefined || facts.session === session);
  const found: RelationKey[] = [];
  for (let after: RelationKey | null = null; ; ) {
    const page = await store.scanRelations(space, { after, limit: PAGE }, passOver);
    for (const relation of page) {
      const { from, to, type } = relation;
      const facts = factsOf(relation);
      if ([facts, ...(facts.earlier ?? [])].some(isMeant)) found.push({ from, to, type });
    }
    if (page.length < PAGE) return found;
    after = page.at(-1)!;
  }
}

/** For good, with their notes. */
export async function purgeRelations(
  { store }: { store: Commits },
  caller: Caller,
  relations: readonly RelationKey[],
): Promise<void> {
  const changes = relations.map((relation) => ({ op: 'unrelate', ...relation }) as const);
  await commitInBatches(store, { space: caller.space, actor: actorOf(caller), changes });
}

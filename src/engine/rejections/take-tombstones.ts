import type { Caller } from '../../model/caller.ts';
import type { Change, Grave } from '../../model/change.ts';
import { passOver } from '../../model/damage.ts';
import type { SpaceId } from '../../model/ids.ts';
import type { StoredRecord } from '../../model/record.ts';
import { authorize } from '../authorize.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { Commits, Records } from '../ports.ts';
import { readPages } from '../records/find-records.ts';
import { actorOf } from '../records/origin.ts';
import { purgeIds } from '../records/purge-records.ts';
import { REJECTIONS, rejectionKind } from './rejection-kind.ts';
import { withdrawRejected } from './withdraw-rejected.ts';

/** What a space keeps out: graves of what was purged there, and what people have rejected, with the keys of it. */
export interface Tombstones {
  graves: Grave[];
  rejections: StoredRecord[];
}

const PAGE = 500;
const AT_ONCE = 100;

/** What was merely not needed is no part of it: whoever puts an earlier state back may need it. */
export async function readTombstones(store: Records, space: SpaceId): Promise<Tombstones> {
  const graves: Grave[] = [];
  for (let after: string | null = null; ; ) {
    const page: Grave[] = await store.listGraves(space, after, PAGE, passOver);
    graves.push(...page);
    if (page.length < PAGE) break;
    after = page.at(-1)!.id;
  }
  const rejections: StoredRecord[] = [];
  const filter = { session: REJECTIONS, kinds: [rejectionKind.name], includeSuperseded: true };
  for await (const { items } of readPages(store, space, { filter, limit: PAGE, note: passOver }))
    rejections.push(...items.filter(({ body }) => typeof body.from !== 'string'));
  const isNeeded = rejections.some(({ body }) => typeof body.claim === 'string');
  return { graves, rejections: isNeeded ? rejections : [] };
}

/** An earlier state of a space was put back: what was purged since goes again, and what was rejected since stays out. */
export async function takeTombstones(
  parts: EngineParts,
  caller: Caller,
  { graves, rejections }: Tombstones,
): Promise<{ purged: number; withdrawn: number }> {
  const { space } = caller;
  authorize(caller, 'admin', space);
  const actor = actorOf(caller);
  let purged = 0;
  for (let i = 0; i < graves.length; i += AT_ONCE) {
    const some = graves.slice(i, i + AT_ONCE);
    const buried = new Map(some.map((grave) => [grave.id, grave.generation]));
    const there = await parts.store.getRecords(space, [...buried.keys()], passOver);
    const ids = there.filter(({ id, generation }) => generation <= buried.get(id)!).map(({ id }) => id);
    purged += (await purgeIds(parts, { space, ids, actor })).length;
    const here = new Set(there.map(({ id }) => id));
    await commitMost(
      parts.store,
      { space, actor },
      some.filter(({ id }) => !here.has(id)).map((grave) => ({ op: 'bury', grave })),
    );
  }
  for (let i = 0; i < rejections.length; i += AT_ONCE)
    await takeRejections(parts, { space, actor }, rejections.slice(i, i + AT_ONCE));
  if (purged > 0) await parts.store.eraseTraces();
  const withdrawn = rejections.length === 0 ? [] : await withdrawRejected(parts, { space, actor });
  return { purged, withdrawn: withdrawn.length };
}

interface Writing {
  space: SpaceId;
  actor: string;
}

async function takeRejections(
  { store, clock }: EngineParts,
  writing: Writing,
  rejections: readonly StoredRecord[],
): Promise<void> {
  const ids = rejections.map(({ id }) => id);
  const there = new Map((await store.getRecords(writing.space, ids, passOver)).map((record) => [record.id, record]));
  const changes = rejections.flatMap((record): Change[] => {
    const known = there.get(record.id);
    if (known === undefined) return [{ op: 'import', record, versions: [], passages: [], vectors: [] }];
    return known.deletedAt === null ? [] : [{ op: 'restore', id: record.id, at: clock.now() }];
  });
  await commitMost(store, writing, changes);
}

/** All but those that something here stands against. */
async function commitMost(store: Commits, { space, actor }: Writing, changes: readonly Change[]): Promise<void> {
  for (let rest = changes; rest.length > 0; ) {
    const committed = await store.commit(space, rest, actor);
    if (committed.outcome === 'committed') return;
    const { index } = committed.conflict;
    rest = rest.filter((_change, i) => i !== index);
  }
}

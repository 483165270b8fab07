import { authorize } from '../../engine/authorize.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import type { Relations } from '../../engine/ports.ts';
import { describeRelation, readNodes } from '../../engine/records/describe-graph.ts';
import { locate } from '../../engine/records/find-records.ts';
import type { Caller } from '../../model/caller.ts';
import { passOver } from '../../model/damage.ts';
import { EngineError } from '../../model/errors.ts';
import type { ListedRelations, ListRelationsInput } from '../../model/graph.ts';
import type { RecordId } from '../../model/ids.ts';
import type { Relation, RelationKey } from '../../model/relation.ts';
import { readRelationType, spellType } from '../../model/relation-types.ts';

const DEFAULT_LIMIT = 50;
const PAGE = 1000;
const AT_ONCE = 500;

/** In the order of where they begin, where they end and their type; of what is deleted none are listed. */
export async function listRelations(
  parts: EngineParts,
  caller: Caller,
  { ref, type: name, status, limit = DEFAULT_LIMIT, cursor }: ListRelationsInput,
): Promise<ListedRelations> {
  const start = ref === undefined ? null : await locate(parts, caller, { ref, action: 'read', deleted: 'include' });
  const space = start?.space ?? caller.space;
  authorize(caller, 'read', space);
  const type = name === undefined ? null : readRelationType(name);
  const isWanted = (relation: Relation): boolean => {
    const { status: state } = describeRelation(relation);
    if (type !== null && spellType(relation.type) !== type) return false;
    return status === 'all' || (status === undefined ? state !== 'ended' : state === status);
  };
  const found: Relation[] = [];
  for await (const page of readRelations(parts, { space, id: start?.id ?? null, after: readPlace(cursor) })) {
    found.push(...(await keepThere(parts, space, page.filter(isWanted))));
    if (found.length > limit) break;
  }
  const shown = found.slice(0, limit);
  const ends = new Map(shown.flatMap(({ from, to }) => [from, to]).map((id) => [id, null]));
  return {
    relations: shown.map(describeRelation),
    nodes: await readNodes(parts, space, ends),
    cursor: found.length > limit ? writePlace(shown.at(-1)!) : null,
  };
}

/** Those whose two ends are there. */
async function keepThere({ store }: EngineParts, space: string, relations: Relation[]): Promise<Relation[]> {
  const ids = [...new Set(relations.flatMap(({ from, to }) => [from, to]))];
  const there = new Set<RecordId>();
  for (let i = 0; i < ids.length; i += AT_ONCE)
    for (const { id, deletedAt } of await store.getRecords(space, ids.slice(i, i + AT_ONCE), passOver))
      if (deletedAt === null) there.add(id);
  return relations.filter(({ from, to }) => there.has(from) && there.has(to));
}

async function* readRelations(
  { store }: { store: Relations },
  { space, id, after }: { space: string; id: RecordId | null; after: RelationKey | null },
): AsyncGenerator<Relation[]> {
  if (id !== null) {
    const all = await store.listRelations(space, [id], passOver);
    yield after === null ? all : all.filter((relation) => isBehind(relation, after));
    return;
  }
  for (let place = after; ; ) {
    const page = await store.scanRelations(space, { after: place, limit: PAGE }, passOver);
    yield page;
    if (page.length < PAGE) return;
    place = page.at(-1)!;
  }
}

function isBehind(relation: RelationKey, after: RelationKey): boolean {
  for (const field of ['from', 'to', 'type'] as const)
    if (relation[field] !== after[field]) return relation[field] > after[field];
  return false;
}

function writePlace({ from, to, type }: RelationKey): string {
  return Buffer.from(JSON.stringify([from, to, type])).toString('base64url');
}

function readPlace(cursor: string | undefined): RelationKey | null {
  if (cursor === undefined) return null;
  const text = Buffer.from(cursor, 'base64url').toString();
  const [, from, to, type] = /^\["([^"]+)","([^"]+)","([^"]+)"\]$/.exec(text) ?? [];
  if (from !== undefined && to !== undefined && type !== undefined) return { from, to, type };
  throw new EngineError('invalid_input', 'This cursor is not one of a listing of relations.', {
    details: { field: 'cursor' },
  });
}

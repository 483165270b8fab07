import { authorize } from '../../engine/authorize.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import type { StateOf } from '../../engine/keep-states.ts';
import type { Records } from '../../engine/ports.ts';
import { invalid } from '../../engine/records/check-text.ts';
import { describeNode, edgeKey, readEdges } from '../../engine/records/describe-graph.ts';
import { spacesOf } from '../../engine/records/find-records.ts';
import type { Caller } from '../../model/caller.ts';
import { passOver } from '../../model/damage.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { StoredRecord } from '../../model/record.ts';
import type { About, AboutInput, AboutSource } from './entity.ts';
import { keyOf } from './entity-key.ts';
import { extractEntities } from './extract-entities.ts';
import { findMentions, keysFor, listTogether } from './find-mentions.ts';
import { MIN_INFERRED } from './propose-relations.ts';
import { createAllEntities } from './space-entities.ts';
import { createSpaceGraphs } from './space-graphs.ts';
import { edgesBetween } from './walk-graph.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;
const MAX_RELATED = 12;
const SAYS_CHARS = 320;

/** What is known about somebody or something: what mentions it, newest first, then what a search finds besides. */
export async function tellAbout(
  parts: EngineParts,
  caller: Caller,
  { name, limit = DEFAULT_LIMIT, project }: AboutInput,
): Promise<About> {
  if (name.trim() === '') throw invalid('name', 'is empty');
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT))
    throw invalid('limit', `must be a whole number from 1 to ${MAX_LIMIT}`);
  const spaces = spacesOf(caller);
  for (const space of spaces) authorize(caller, 'read', space);
  const { entity, ids } = await findMentions(parts.state(createAllEntities), spaces, name);
  const mentioning = await readCurrent(parts, spaces, { ids, project });
  const sources = mentioning
    .slice(0, limit)
    .map((record) => describeSource(record, { name, key: entity?.key ?? null }));
  if (sources.length < limit) {
    const query = entity?.name ?? name;
    const found = await parts.search(caller, {
      query,
      limit: Math.min(100, limit),
      relevantOnly: true,
      filter: { project },
    });
    const more = found.verdict === 'nothing' ? [] : found.hits.filter(({ id }) => !ids.has(id));
    const records = await readHits(parts, more);
    sources.push(
      ...records.slice(0, limit - sources.length).map((record) => ({
        ...describeNode(record, null),
        says: describeNode(record, null).excerpt,
        by: 'search' as const,
      })),
    );
  }
  const related = await listRelated(parts, spaces, { name, ids });
  return { entity, sources, total: mentioning.length, related, relations: await readRelations(parts, sources, spaces) };
}

async function readCurrent(
  { store }: { store: Records },
  spaces: readonly SpaceId[],
  { ids, project }: { ids: ReadonlySet<RecordId>; project: string | undefined },
): Promise<StoredRecord[]> {
  if (ids.size === 0) return [];
  const records: StoredRecord[] = [];
  for (const space of spaces) records.push(...(await store.getRecords(space, [...ids], passOver)));
  return records
    .filter(({ deletedAt, supersededBy }) => deletedAt === null && supersededBy === null)
    .filter((record) => project === undefined || record.project === project)
    .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
}

async function readHits(
  { store }: { store: Records },
  hits: readonly { id: RecordId; space: SpaceId }[],
): Promise<StoredRecord[]> {
  const records: StoredRecord[] = [];
  for (const [space, some] of Map.groupBy(hits, (hit) => hit.space))
    records.push(
      ...(await store.getRecords(
        space,
        some.map(({ id }) => id),
        passOver,
      )),
    );
  return records;
}

function describeSource(record: StoredRecord, asked: { name: string; key: string | null }): AboutSource {
  return { ...describeNode(record, null), says: findSentences(record.content, asked), by: 'mention' };
}

/** The sentences that name it, as far as there is room. */
function findSentences(content: string, { name, key }: { name: string; key: string | null }): string {
  const sentences = content.split(/(?<=[.!?])\s+|\n+/).filter((sentence) => sentence.trim() !== '');
  const needle = name
    .replace(/^\w+:(?!\/\/)/, '')
    .replace(/^@/, '')
    .toLowerCase();
  const naming = sentences.filter(
    (sentence) =>
      sentence.toLowerCase().includes(needle) ||
      (key !== null && extractEntities(sentence).some((one) => one.key === key || keyOf(one.kind, one.name) === key)),
  );
  const text = (naming.length === 0 ? sentences : naming).join(' ').trim();
  return text.length <= SAYS_CHARS ? text : `${text.slice(0, SAYS_CHARS - 1)}…`;
}

async function listRelated(
  parts: { state: StateOf },
  spaces: readonly SpaceId[],
  { name, ids }: { name: string; ids: ReadonlySet<RecordId> },
): Promise<About['related']> {
  const related: About['related'] = [];
  for (const space of spaces) {
    const state = await parts.state(createAllEntities).fresh(space);
    related.push(...listTogether(state, { keys: keysFor(state, name), ids }));
  }
  return related.sort((a, b) => b.together - a.together).slice(0, MAX_RELATED);
}

async function readRelations(
  parts: EngineParts,
  sources: readonly AboutSource[],
  spaces: readonly SpaceId[],
): Promise<About['relations']> {
  const relations: About['relations'] = [];
  for (const space of spaces) {
    const graph = await parts.state(createSpaceGraphs).fresh(space);
    const nodes = sources.flatMap(({ id }) => graph.numbers.get(id) ?? []);
    const edges = edgesBetween(graph, nodes, { direction: 'both', minInferred: MIN_INFERRED });
    const keys = edges.map((edge) => edgeKey(graph, edge));
    relations.push(...(await readEdges(parts, space, keys)));
  }
  return relations;
}

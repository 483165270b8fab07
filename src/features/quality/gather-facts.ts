import type { EngineParts } from '../../engine/engine-parts.ts';
import type { EngineSettings } from '../../engine/engine-settings.ts';
import type { Relations } from '../../engine/ports.ts';
import { passOver } from '../../model/damage.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { StoredRecord } from '../../model/record.ts';
import { isEnded, isInferred } from '../../model/relation.ts';
import type { Usage } from '../../model/usage.ts';
import { measureRelevance } from './measure-relevance.ts';
import type { Relevance } from './quality.ts';

const NEVER_READ: Usage = { reads: 0, lastReadAt: null };

export interface Judged {
  record: StoredRecord;
  usage: Usage;
  relevance: Relevance;
}

/** How often each was read, how many others it is joined to, and how far it still matters. All of one space. */
export async function judgeRecords(
  parts: EngineParts,
  space: SpaceId,
  records: readonly StoredRecord[],
): Promise<Judged[]> {
  const { store, clock, settings } = parts;
  const ids = records.map(({ id }) => id);
  if (ids.length === 0) return [];
  const usages = await store.readStatistics(space, ids);
  const connections = await countConnections(parts, space, ids);
  const facts = { now: clock.now(), memoryTypes: settings.memoryTypes, protection: protectionOf(parts) };
  return records.map((record) => {
    const usage = usages.get(record.id) ?? NEVER_READ;
    const joined = connections.get(record.id) ?? 0;
    return { record, usage, relevance: measureRelevance(record, { ...facts, usage, connections: joined }) };
  });
}

export function protectionOf({ settings }: { settings: EngineSettings }) {
  return { tags: settings.protectedTags, types: settings.protectedTypes };
}

/** Different records at the other ends of its relations. */
async function countConnections(
  { store }: { store: Relations },
  space: SpaceId,
  ids: readonly RecordId[],
): Promise<Map<RecordId, number>> {
  const joined = new Map<RecordId, Set<RecordId>>(ids.map((id) => [id, new Set()]));
  for (const relation of await store.listRelations(space, ids, passOver)) {
    const { from, to } = relation;
    // What has ended joins nothing any more, and what the program merely proposes not yet.
    if (from === to || isEnded(relation) || isInferred(relation)) continue;
    joined.get(from)?.add(to);
    joined.get(to)?.add(from);
  }
  return new Map([...joined].map(([id, others]) => [id, others.size]));
}

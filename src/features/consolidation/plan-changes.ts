import type { EngineParts } from '../../engine/engine-parts.ts';
import type { SearchableMaker } from '../../engine/records/make-searchable.ts';
import { contentOf, createChange, supersedesRelation } from '../../engine/records/record-changes.ts';
import { makeContent } from '../../engine/records/store-record.ts';
import { OWNER_USER } from '../../model/caller.ts';
import type { Change } from '../../model/change.ts';
import { type Instant, newRecordId, type RecordId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Archived, ForgetReason } from '../../model/memory.ts';
import { lowestTrust, type StoredRecord } from '../../model/record.ts';
import { memoryKind } from '../memories/memory-kind.ts';
import type { Judged } from '../quality/gather-facts.ts';
import type { QualityFacts } from '../quality/quality.ts';
import { planQuality } from '../quality/rate-memory.ts';
import { withQualityEvent } from '../quality/score-quality.ts';
import { composeSummary } from './compose-summary.ts';
import type { Cluster } from './find-clusters.ts';
import type { Duplicates } from './find-duplicates.ts';
import type { PlannedWork } from './run-journal.ts';

/** A change of less is not worth a write. */
const LEAST_CHANGE = 0.02;

/** Reads become part of the quality, or what a model says. Null: that would change next to nothing. */
export function planUsage(
  parts: EngineParts,
  { record, usage }: Judged,
  { at, scored = null }: { at: Instant; scored?: { value: number; model: string } | null },
): PlannedWork | null {
  const event = scored === null ? { how: 'used' as const } : { how: 'scored' as const, ...scored };
  const content = withQualityEvent(contentOf(record), { ...event, ...usage, at });
  if (scored === null && Math.abs(content.quality - record.quality) < LEAST_CHANGE) return null;
  const change = { ...planQuality(parts, record, { content }), isDerived: true as const };
  const facts = (record.body.quality ?? null) as unknown as QualityFacts | null;
  return { changes: [change], undo: [{ what: 'quality', id: record.id, quality: record.quality, facts }] };
}

/** Hidden behind the run that archived it; nothing of it is lost, and its time of change stays. */
export function planArchive(
  parts: EngineParts,
  record: StoredRecord,
  { run, reason, at }: { run: RecordId; reason: ForgetReason; at: Instant },
): PlannedWork {
  const archived: Archived = { at, reason, run, ...(record.key !== null && { key: record.key }) };
  const body = { ...record.body, archived: archived as unknown as JsonObject };
  const content = { ...contentOf(record), key: null, supersededBy: run, body };
  const change = planQuality(parts, record, { content, reason: `archived: ${reason}` });
  return { changes: [change], undo: [{ what: 'archived', id: record.id }] };
}

export interface SummaryWork extends PlannedWork {
  id: RecordId;
  content: string;
  sources: RecordId[];
}

/** A memory of its own that names its sources; believed no more than the least of them, and as no person's word, who has not said it. */
export async function planSummary(parts: EngineParts, cluster: Cluster, make: SearchableMaker): Promise<SummaryWork> {
  const now = parts.clock.now();
  const id = newRecordId(now);
  const members = cluster.members.toSorted((a, b) => a.record.createdAt - b.record.createdAt);
  const sources = members.map(({ record }) => record);
  const { content: text, tags, metadata } = composeSummary(sources);
  const content = makeContent(memoryKind, now, {
    type: 'pattern',
    content: text,
    tags,
    agent: null,
    project: cluster.seed.project,
    body: { metadata },
    trust: sources.map(({ trust }) => trust).reduce(lowestTrust, 'agent'),
    source: { door: 'job', userId: OWNER_USER },
  });
  const [made] = await make([content]);
  const relations = members.map(({ record, cosine }): Change => {
    const body = { of: record.contentHash };
    const about = { type: 'derived-from', weight: Math.round(cosine * 1000) / 1000, body, createdAt: now };
    return { op: 'relate', relation: { from: id, to: record.id, ...about } };
  });
  const ids = sources.map((source) => source.id);
  return {
    id,
    content: text,
    sources: ids,
    changes: [createChange(id, content, { ...made!, unlessDuplicate: true }), ...relations],
    undo: [
      ...ids.map((to) => ({ what: 'related' as const, from: id, to, type: 'derived-from' })),
      { what: 'made', id, contentHash: content.contentHash },
    ],
  };
}

/** The others stay readable behind the one that is kept, which takes over their tags where they say the same. */
export function planMerge(
  parts: EngineParts,
  { keep, others }: Duplicates,
  { at, joinsTags = true }: { at: Instant; joinsTags?: boolean },
): PlannedWork {
  const added = joinsTags ? others.flatMap(({ record }) => record.tags) : [];
  const tags = [...new Set([...keep.tags, ...added])];
  const kept = tags.length > 1 ? tags.filter((tag) => tag !== 'untagged') : tags;
  const changes: Change[] = [];
  const undo: PlannedWork['undo'][number][] = [];
  for (const { record } of others) {
    const content = { ...contentOf(record), key: null, supersededBy: keep.id };
    changes.push(planQuality(parts, record, { content, reason: `merged into ${keep.id}` }));
    changes.push({ op: 'relate', relation: supersedesRelation(keep.id, record.id, at) });
    undo.push({ what: 'related', from: keep.id, to: record.id, type: 'supersedes' });
    undo.push({ what: 'merged', id: record.id, into: keep.id, key: record.key });
  }
  if (kept.length > keep.tags.length) {
    changes.push(
      planQuality(parts, keep, { content: { ...contentOf(keep), tags: kept }, reason: 'merged with others' }),
    );
    undo.push({ what: 'labels', id: keep.id, tags: keep.tags, given: kept });
  }
  return { changes, undo };
}

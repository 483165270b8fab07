import { authorize } from '../../engine/authorize.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import type { Records } from '../../engine/ports.ts';
import { createSearchableMaker } from '../../engine/records/make-searchable.ts';
import { contentOf, createChange } from '../../engine/records/record-changes.ts';
import { makeContent } from '../../engine/records/store-record.ts';
import { type Caller, OWNER_USER } from '../../model/caller.ts';
import { passOver } from '../../model/damage.ts';
import { EngineError } from '../../model/errors.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { StoredRecord } from '../../model/record.ts';
import { memoryKind } from '../memories/memory-kind.ts';
import { planQuality } from '../quality/rate-memory.ts';
import { findInsights } from './find-insights.ts';
import type { Insight } from './insight.ts';
import { isArchived } from './restore-archived.ts';
import { openRun, type PlannedWork } from './run-journal.ts';

const ACKNOWLEDGED = 'acknowledged';

/** What many of the caller's memories say together, as things stand. */
export async function listInsights(parts: EngineParts, caller: Caller): Promise<Insight[]> {
  authorize(caller, 'read', caller.space);
  const found = await findInsights(parts, caller.space);
  const stored = await readStored(
    parts,
    caller.space,
    found.map(({ id }) => id),
  );
  return found.map((insight) => ({ ...insight, isAcknowledged: isAcknowledged(stored.get(insight.id)) }));
}

async function readStored(
  { store }: { store: Records },
  space: SpaceId,
  ids: readonly RecordId[],
): Promise<Map<RecordId, StoredRecord>> {
  const records = ids.length === 0 ? [] : await store.getRecords(space, ids, passOver);
  return new Map(records.map((record) => [record.id, record]));
}

/** Whoever tags a card so, archives or deletes it has seen it: it is not made again. */
function isAcknowledged(record: StoredRecord | undefined): boolean {
  return (
    record !== undefined && (record.deletedAt !== null || isArchived(record) || record.tags.includes(ACKNOWLEDGED))
  );
}

/** Stores cards that are new as memories, where search finds them. */
export async function keepInsights(
  parts: EngineParts,
  caller: Caller,
  insights: readonly Insight[],
): Promise<{ run: RecordId | null; kept: number }> {
  const stored = await readStored(
    parts,
    caller.space,
    insights.map(({ id }) => id),
  );
  const fresh = insights.filter(({ id }) => !stored.has(id));
  if (fresh.length === 0) return { run: null, kept: 0 };
  const journal = await openRun(parts, { space: caller.space, caller, purpose: 'insights' });
  const works: PlannedWork[] = [];
  for (const insight of fresh) works.push(await planCard(parts, insight, []));
  const done = await journal.write(works, 'insights');
  await journal.finish('done', { examined: insights.length, notices: [] });
  return { run: journal.id, kept: done.length };
}

async function planCard(parts: EngineParts, insight: Insight, tags: readonly string[]): Promise<PlannedWork> {
  const { id, kind, text, isAcknowledged: _, ...facts } = insight;
  const content = makeContent(memoryKind, parts.clock.now(), {
    type: 'insight',
    content: text,
    tags: ['auto-generated', 'insight-card', kind, ...tags],
    agent: null,

    trust: 'agent',
    source: { door: 'job', userId: OWNER_USER },
    body: { metadata: { insight: { kind, ...facts } } },
  });
  const [made] = await createSearchableMaker(parts)([content]);
  return {
    changes: [createChange(id, content, { ...made!, unlessDuplicate: false })],
    undo: [{ what: 'made', id, contentHash: content.contentHash }],
  };
}

/** Seen: it is not told again. */
export async function acknowledgeInsight(parts: EngineParts, caller: Caller, id: RecordId): Promise<Insight> {
  authorize(caller, 'write', caller.space);
  const insight = (await listInsights(parts, caller)).find((one) => one.id === id);
  const record = (await readStored(parts, caller.space, [id])).get(id);
  if (insight === undefined)
    throw new EngineError('not_found', 'There is no such insight.', {
      hint: '`ltm insights` lists them.',
      details: { id },
    });
  if (isAcknowledged(record)) return { ...insight, isAcknowledged: true };
  const journal = await openRun(parts, { space: caller.space, caller, purpose: 'insights' });
  const work = record === undefined ? await planCard(parts, insight, [ACKNOWLEDGED]) : planTag(parts, record);
  const done = await journal.write([work], 'insights');
  await journal.finish('done', { examined: 1, notices: [] });
  return { ...insight, isAcknowledged: done.length === 1 };
}

function planTag(parts: EngineParts, record: StoredRecord): PlannedWork {
  const content = { ...contentOf(record), tags: [...record.tags, ACKNOWLEDGED] };
  return {
    changes: [planQuality(parts, record, { content, reason: ACKNOWLEDGED })],
    undo: [{ what: 'labels', id: record.id, tags: record.tags, given: content.tags }],
  };
}

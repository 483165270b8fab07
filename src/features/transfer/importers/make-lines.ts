import { createHash } from 'node:crypto';
import { makeContent } from '../../../engine/records/store-record.ts';
import { OWNER_USER } from '../../../model/caller.ts';
import { derivedRecordId, type Instant, type RecordId } from '../../../model/ids.ts';
import type { ImportedTranscript } from '../../../model/imported-parts.ts';
import type { JsonObject } from '../../../model/json.ts';
import { DEFAULT_TAG } from '../../../model/memory.ts';
import type { RecordContent } from '../../../model/record.ts';
import type { SessionEvent } from '../../../model/session-event.ts';
import { memoryKind } from '../../memories/memory-kind.ts';
import type { Imported, ImportedMemory, ImportedRelation } from './imported.ts';

/** What was read of another system, as the lines of an export of ours, and what an export has no line for. */
export interface Converted {
  lines: string[];
  memories: ReadonlyMap<RecordId, ImportedMemory>;
  relations: number;
  packets: { text: string; owner: string | null }[];
  /** In the order in which they happened. */
  events: SessionEvent[];
  transcripts: ImportedTranscript[];
  leftOut: { what: string; why: string }[];
}

/** `at`: the time of what has none of its own, such as that of the file. */
export async function convertImported(
  system: string,
  items: AsyncIterable<Imported> | Iterable<Imported>,
  { at, now, project }: { at: Instant; now: Instant; project: string | null },
): Promise<Converted> {
  const memories = new Map<RecordId, ImportedMemory>();
  const ids = new Map<string, RecordId>();
  const relations: ImportedRelation[] = [];
  const packets: Converted['packets'] = [];
  const events: SessionEvent[] = [];
  const transcripts: ImportedTranscript[] = [];
  const leftOut: Converted['leftOut'] = [];
  for await (const item of items) {
    if ('memory' in item) {
      const { id: name, createdAt, isDatedByFile } = item.memory;
      const at = isDatedByFile === true ? null : createdAt;
      const id = derivedRecordId(`${system}\n${name}`, at ?? undefined);
      if (ids.has(name)) leftOut.push({ what: name, why: 'it is there twice' });
      else memories.set(id, item.memory);
      ids.set(name, id);
    } else if ('relation' in item) relations.push(item.relation);
    else if ('event' in item) events.push(item.event);
    else if ('transcript' in item) transcripts.push(item.transcript);
    else if ('packet' in item) packets.push({ text: item.packet, owner: item.owner });
    else leftOut.push({ what: item.leftOut, why: item.why });
  }
  const records = [...memories].map(([id, memory]) => ({
    record: {
      id,
      revision: 1,
      ...contentOf(memory, { system, ids, at, now, project }),
      deletedAt: memory.deletedAt ?? null,
    },
  }));
  const related = new Map<string, object>();
  for (const { from, to, type, weight = 1, createdAt } of relations) {
    const ends = { from: ids.get(from), to: ids.get(to), type: cut(type) || 'related' };
    if (ends.from === undefined || ends.to === undefined)
      leftOut.push({ what: `${from} ${type} ${to}`, why: 'one of the two is not there' });
    else related.set(JSON.stringify(ends), { relation: { ...ends, weight, body: {}, createdAt: createdAt ?? at } });
  }
  return {
    lines: sealLines([...records, ...related.values()], { records: records.length, relations: related.size }),
    memories,
    relations: related.size,
    packets,
    events: events.sort((a, b) => a.at - b.at),
    transcripts,
    leftOut,
  };
}

/** Of the first form of exports, which asks for no more than other systems know. */
function sealLines(objects: readonly object[], counts: { records: number; relations: number }): string[] {
  const header = { format: 'ltm-export', version: 1 };
  const lines = [header, ...objects].map((one) => JSON.stringify(one));
  const sum = createHash('sha256');
  for (const line of lines) sum.update(`${line}\n`);
  return [...lines, JSON.stringify({ end: { ...counts, versions: 0, sha256: sum.digest('hex') } })];
}

interface Conversion {
  system: string;
  ids: ReadonlyMap<string, RecordId>;
  at: Instant;
  now: Instant;
  project: string | null;
}

function contentOf(memory: ImportedMemory, { system, ids, at, now, project }: Conversion): RecordContent {
  const { content, tags = [], metadata = {}, quality = 0.5, trust = 'agent', supersededBy = null } = memory;
  const createdAt = Math.min(memory.createdAt ?? at, now);
  const known = [...new Set(tags.map(cut).filter((tag) => tag !== ''))];
  return makeContent(memoryKind, createdAt, {
    content: clean(content),
    type: cut(memory.type ?? '') || 'note',
    tags: known.length === 0 ? [DEFAULT_TAG] : known,
    body: {
      metadata: cleanJson({
        ...metadata,
        ...(memory.title != null && memory.title !== '' && { title: memory.title }),
        imported_id: memory.id,
      }),
    },
    project: labelOr(memory.project ?? project),
    agent: labelOr(memory.agent),
    session: labelOr(memory.session),
    conversation: labelOr(memory.conversation),
    author: labelOr(memory.author),
    source: { door: 'import', userId: OWNER_USER, client: system, at: now },
    trust,
    quality,
    updatedAt: Math.max(createdAt, Math.min(memory.updatedAt ?? createdAt, now)),
    validFrom: memory.validFrom ?? null,
    validUntil: memory.validUntil ?? null,
    supersededBy: (supersededBy === null ? undefined : ids.get(supersededBy)) ?? null,
  });
}

const MAX_LABEL = 200;
const clean = (text: string): string => text.replaceAll('\0', '\u{fffd}').toWellFormed();
const cut = (text: string): string => clean(text).trim().slice(0, MAX_LABEL).trim();
const labelOr = (text: string | null | undefined): string | null => cut(text ?? '') || null;

function cleanJson(value: JsonObject): JsonObject {
  return JSON.parse(clean(JSON.stringify(value)).replaceAll('\\u0000', '\\ufffd'), (key, item) =>
    key === '__proto__' ? undefined : item,
  ) as JsonObject;
}

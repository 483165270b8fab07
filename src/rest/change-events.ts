import type { FollowedChange, FollowedPage, Positions } from '../engine/follow-changes.ts';
import type { KindTable } from '../engine/records/kind.ts';
import type { FeedOp } from '../model/change.ts';
import { shorten } from '../model/cut-text.ts';
import type { Sequence, SpaceId } from '../model/ids.ts';
import { toIso } from '../model/instant.ts';
import { readOpaque, writeOpaque } from '../model/opaque.ts';
import type { StoredRecord } from '../model/record.ts';

/** One event as it goes over the wire. */
export interface SentEvent {
  name: string;
  data: Record<string, unknown>;
  /** Where to go on after it. */
  id?: string;
}

const PREVIEW_CHARS = 100;
const MAX_ID_CHARS = 8192;

/** What is told of a change; the rest concerns the index and relations. */
const WORDS: Partial<Record<FeedOp, string>> = {
  created: 'stored',
  updated: 'updated',
  deleted: 'deleted',
  restored: 'restored',
  purged: 'purged',
};

/** The events of a page, each with the position after it; parts of records are told with the whole. `from` are the positions before the page. */
export function toEvents({ changes }: FollowedPage, from: Positions, { parts }: Pick<KindTable, 'parts'>): SentEvent[] {
  const positions = new Map(from);
  return changes.flatMap((change): SentEvent[] => {
    positions.set(change.space, change.entry.seq);
    const word = WORDS[change.entry.op];
    if (word === undefined || parts.includes(kindOf(change))) return [];
    const name = `${kindOf(change)}_${word}`;
    return [{ name, data: describeChange(change, word), id: writePositions(positions) }];
  });
}

function describeChange(change: FollowedChange, word: string): Record<string, unknown> {
  const { space, entry, record } = change;
  const isGone = entry.op === 'deleted' || entry.op === 'purged';
  return {
    timestamp: toIso(entry.at),
    id: entry.id,
    space,
    content_hash: record?.contentHash ?? null,
    ...(isGone ? { success: true } : describeRecord(record)),
    revision: entry.revision,
    message: `${capitalise(kindOf(change))} ${word}`,
  };
}

/** Events are named after the kind of record, whatever kinds there are. */
function kindOf({ entry }: FollowedChange): string {
  return entry.kind ?? 'record';
}

/** As it is now: a change that another one followed shows the later state. */
function describeRecord(record: StoredRecord | null): Record<string, unknown> {
  if (record === null || record.deletedAt !== null)
    return { content_preview: null, tags: [], memory_type: null, project: null, agent: null };
  const { content, tags, type, project, agent } = record;
  return { content_preview: shorten(content, PREVIEW_CHARS, '...'), tags, memory_type: type, project, agent };
}

function capitalise(word: string): string {
  return word[0]!.toUpperCase() + word.slice(1);
}

/** As an event's id: opaque to clients, which send the last one back as Last-Event-ID. */
export function writePositions(positions: Positions): string {
  return writeOpaque([...positions]);
}

/** null, which makes a stream start from now, for anything that is not an id of ours. Spaces that are not the caller's are passed over later. */
export function readPositions(id: string | undefined): Positions | null {
  if (id === undefined || id.length > MAX_ID_CHARS) return null;
  const value = readOpaque(id);
  return Array.isArray(value) && value.every(isPosition) ? new Map(value) : null;
}

function isPosition(value: unknown): value is [SpaceId, Sequence] {
  return (
    Array.isArray(value) &&
    value.length === 2 &&
    typeof value[0] === 'string' &&
    Number.isSafeInteger(value[1]) &&
    value[1] >= 0
  );
}

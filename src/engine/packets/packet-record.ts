import { createHash } from 'node:crypto';
import type { Caller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { Instant } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Packet } from '../../model/packet.ts';
import type { PacketPublication, PacketSummary, StoredPacket } from '../../model/packet-record.ts';
import type { RecordContent, StoredRecord } from '../../model/record.ts';
import { stamp } from '../memories/stamp.ts';
import { firstLine } from '../search/text/make-snippet.ts';
import { packetParts } from './packet-passages.ts';
import { showPacketTime } from './read-packet-time.ts';

const TITLE_CHARS = 80;

export interface NewPacket {
  packet: Packet;
  canonical: string;
  pushedBy: string;
  /** Decides the order of listings; never before that of a packet received earlier. */
  order: Instant;
  now: Instant;
  published: PacketPublication | null;
}

/** What the canonical text holds is repeated only where filters and search need it. */
export function packetContent(caller: Caller, made: NewPacket): RecordContent {
  const { packet, canonical, pushedBy, order, now, published } = made;
  const title = firstLine(packet.goal, TITLE_CHARS).replaceAll('\0', '\u{fffd}');
  return {
    kind: 'packet',
    key: null,
    type: 'packet',
    title: title === '' ? 'packet' : title,
    content: packetParts(packet)
      .map(({ text }) => text)
      .join('\n\n'),
    contentHash: createHash('sha256').update(canonical).digest('hex'),
    tags: packet.tags ?? [],
    project: projectLabel(packet.project?.name),
    agent: caller.agent ?? null,
    session: null,
    conversation: null,
    ...stamp(caller, caller.host),
    quality: 0.5,
    createdAt: order,
    updatedAt: now,
    validFrom: null,
    validUntil: null,
    supersededBy: null,
    body: packetBody({ canonical, pushedBy, published }),
  };
}

export function packetBody({
  canonical,
  pushedBy,
  published,
}: Pick<StoredPacket, 'canonical' | 'pushedBy' | 'published'>): JsonObject {
  return { canonical, pushedBy, ...(published !== null && { published: { slug: published.slug, at: published.at } }) };
}

/** As a packet's project is filtered by. */
export function projectLabel(name: string | undefined): string | null {
  return name?.replaceAll('\0', '\u{fffd}').trim() || null;
}

export function toStoredPacket(record: StoredRecord): StoredPacket {
  const { canonical, pushedBy, published } = record.body as Partial<StoredPacket>;
  if (typeof canonical !== 'string')
    throw new EngineError('storage_damaged', 'A packet has lost its text.', {
      hint: 'Run `ltm doctor`.',
      details: { id: record.id },
    });
  return {
    space: record.space,
    recordId: record.id,
    packet: JSON.parse(canonical) as Packet,
    canonical,
    pushedBy: pushedBy ?? record.source.userId,
    receivedAt: record.updatedAt,
    published: published ?? null,
  };
}

export function summarisePacket(record: StoredRecord): PacketSummary {
  const { packet } = toStoredPacket(record);
  return {
    id: packet.id,
    createdAt: showPacketTime(packet.created_at),
    goal: packet.goal,
    project: record.project,
    tags: record.tags,
  };
}

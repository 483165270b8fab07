import { createHash } from 'node:crypto';
import { EngineError } from '../../model/errors.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Packet } from '../../model/packet.ts';
import type { PacketSummary, StoredPacket } from '../../model/packet-record.ts';
import type { RecordContent, StoredRecord } from '../../model/record.ts';
import { firstLine } from '../search/text/make-snippet.ts';
import { packetParts } from './packet-passages.ts';
import { showPacketTime } from './read-packet-time.ts';

const TITLE_CHARS = 80;

/** What the canonical text holds is repeated only where filters and search need it. */
export function derivePacketContent(content: RecordContent): RecordContent {
  const { packet, canonical } = readPacket(content);
  const title = firstLine(packet.goal, TITLE_CHARS).replaceAll('\0', '\u{fffd}');
  return {
    ...content,
    title: title === '' ? 'packet' : title,
    content: packetParts(packet)
      .map(({ text }) => text)
      .join('\n\n'),
    contentHash: createHash('sha256').update(canonical).digest('hex'),
    tags: packet.tags ?? [],
    project: projectLabel(packet.project?.name),
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

export function readPacket({ body: { canonical } }: RecordContent): { packet: Packet; canonical: string } {
  if (typeof canonical !== 'string')
    throw new EngineError('storage_damaged', 'A packet has lost its text.', { hint: 'Run `ltm doctor`.' });
  return { packet: JSON.parse(canonical) as Packet, canonical };
}

export function toStoredPacket(record: StoredRecord): StoredPacket {
  const { pushedBy, published } = record.body as Partial<StoredPacket>;
  return {
    space: record.space,
    recordId: record.id,
    ...readPacket(record),
    pushedBy: pushedBy ?? record.source.userId,
    receivedAt: record.updatedAt,
    published: published ?? null,
  };
}

export function summarisePacket(record: StoredRecord): PacketSummary {
  const { packet } = readPacket(record);
  return {
    id: packet.id,
    createdAt: showPacketTime(packet.created_at),
    goal: packet.goal,
    project: record.project,
    tags: record.tags,
  };
}

import type { Instant, RecordId, SpaceId } from '../../model/ids.ts';
import type { StoredRecord } from '../../model/record.ts';
import type { FieldFinding } from '../../privacy/field-finding.ts';
import type { Packet, PacketFault } from './packet.ts';

/** A packet where it is kept. */
export interface StoredPacket extends Pick<StoredRecord, 'source' | 'trust'> {
  space: SpaceId;
  recordId: RecordId;
  packet: Packet;
  /** The bytes that are given out, to everybody the same. */
  canonical: string;
  /** Who handed it in first. */
  pushedBy: string;
  /** By the server's clock; the packet's own `created_at` is its author's word. */
  receivedAt: Instant;
  published: PacketPublication | null;
}

export interface PacketPublication {
  /** The unguessable part of the page's address. */
  slug: string;
  at: Instant;
}

/** A line of a listing. */
export interface PacketSummary extends Pick<StoredRecord, 'source' | 'trust'> {
  id: string;
  /** What the author says, in UTC, without a fraction. */
  createdAt: string;
  goal: string;
  project: string | null;
  tags: readonly string[];
}

export type SavePacketOutcome =
  | { outcome: 'saved' | 'unchanged'; id: string; recordId: RecordId }
  | { outcome: 'invalid'; message: string; faults: readonly PacketFault[] }
  /** Nothing was stored: these were found, and the caller has not allowed them. */
  | { outcome: 'unredacted'; findings: readonly FieldFinding[] };

export interface PacketChain {
  /** The packet itself, its parent, and so on. */
  packets: StoredPacket[];
  /** The `parent_id` at which it ends although it goes on: not there, or not the caller's to see; null at a packet without a parent. */
  missing: string | null;
  /** True when a packet continues itself, at whatever distance: it is shown once. */
  circular: boolean;
}

import type { Instant, RecordId, SpaceId } from '../../model/ids.ts';
import type { StoredRecord } from '../../model/record.ts';
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

/** Something in a packet that looks like a secret or a private path. */
export interface PacketFinding {
  /** Where: `decisions[2].why`. */
  field: string;
  /** What: `aws-key`. */
  kind: string;
  /** Enough to find it; never all of a secret. */
  shown: string;
}

export type SavePacketOutcome =
  | { outcome: 'saved' | 'unchanged'; id: string; recordId: RecordId }
  | { outcome: 'invalid'; message: string; faults: readonly PacketFault[] }
  /** Nothing was stored: these were found, and the caller has not allowed them. */
  | { outcome: 'unredacted'; findings: readonly PacketFinding[] };

/** True: whatever is found. A list: these findings alone, each as `field/kind`. */
export type AllowUnredacted = boolean | readonly string[];

export interface PacketChain {
  /** The packet itself, its parent, and so on. */
  packets: StoredPacket[];
  /** The `parent_id` at which it ends although it goes on: not there, or not the caller's to see; null at a packet without a parent. */
  missing: string | null;
  /** True when a packet continues itself, at whatever distance: it is shown once. */
  circular: boolean;
}

function findingName({ field, kind }: Pick<PacketFinding, 'field' | 'kind'>): string {
  return `${field}/${kind}`;
}

/** `decisions[0].why/aws-key: AKIA****…` */
export function describeFinding(finding: PacketFinding): string {
  return `${findingName(finding)}: ${finding.shown}`;
}

export function withoutAllowed(findings: readonly PacketFinding[], allowed: AllowUnredacted): PacketFinding[] {
  if (allowed === true) return [];
  const names = new Set(allowed === false ? [] : allowed);
  return findings.filter((finding) => !names.has(findingName(finding)));
}

/** A Core Memory Packet: the dossier of one piece of work, handed from one session to the next. Field names are those of the exchanged JSON. */

export const PACKET_VERSIONS = ['0.1', '0.2'] as const;
export type PacketVersion = (typeof PACKET_VERSIONS)[number];

/** What a new packet is written in. */
export const LATEST_PACKET_VERSION: PacketVersion = '0.2';

/** Counts the bytes as received, whitespace included; the canonical form may be longer. */
export const PACKET_MAX_BYTES = 32_768;

export const ATTEMPT_OUTCOMES = ['succeeded', 'failed', 'partial'] as const;

export const CONFIDENCE_LEVELS = ['low', 'medium', 'high'] as const;
export type Confidence = (typeof CONFIDENCE_LEVELS)[number];

export interface PacketProject {
  name?: string;
  ref?: string;
}

export interface PacketDecision {
  what: string;
  why: string;
  consequences?: string;
  /** Absent means: may be revisited. */
  locked?: true;
}

export interface PacketMethod {
  name: string;
  when_applicable: string;
  how: string;
}

export interface PacketAttempt {
  tried: string;
  outcome: (typeof ATTEMPT_OUTCOMES)[number];
  learned?: string;
  confidence?: Confidence;
}

export interface PacketProvenance {
  author_model?: string;
  author_human?: string;
  source_hash?: string;
  confidence?: Confidence;
}

/** As it is stored: valid, in canonical shape (empty optional fields are absent), its strings well-formed Unicode. */
export interface Packet {
  ltm_version: PacketVersion;
  id: string;
  parent_id?: string;
  /** RFC 3339 with at most nine digits of fraction; the zone as the author gave it. */
  created_at: string;
  project?: PacketProject;
  goal: string;
  success_criteria?: string[];
  constraints?: string[];
  decisions?: PacketDecision[];
  methods?: PacketMethod[];
  attempts?: PacketAttempt[];
  open_questions?: string[];
  next_step: string;
  tags?: string[];
  provenance?: PacketProvenance;
}

/** Where a text is not a packet, as a JSON pointer, and why. */
export interface PacketFault {
  pointer: string;
  message: string;
}

export type ParsedPacket =
  | { outcome: 'valid'; packet: Packet; canonical: string }
  /** `message` is the whole answer for a person; `faults` are its parts for a program. */
  | { outcome: 'invalid'; message: string; faults: PacketFault[] };

import { parsePacket } from '../engine/packets/parse-packet.ts';
import { checkPacket } from '../engine/privacy/check-packet.ts';
import type { Packet } from '../model/packet.ts';
import { type AllowUnredacted, type PacketFinding, withoutAllowed } from '../model/packet-record.ts';

export { canonicalPacket } from '../engine/packets/canonical-packet.ts';
export { diffPackets } from '../engine/packets/diff-packets.ts';
export { EXAMPLE_PACKET } from '../engine/packets/example-packet.ts';
export { foldAncestors } from '../engine/packets/fold-ancestors.ts';
export { renderResume } from '../engine/packets/render-resume.ts';
export { renderShow } from '../engine/packets/render-show.ts';

export interface CheckedPacket {
  /** null when it is not a packet; `problem` says why. */
  packet: Packet | null;
  problem: string | null;
  /** What must not leave this machine, less what the person allows. */
  findings: PacketFinding[];
}

/** Looked at before the first byte is sent. What is not a packet is searched for secrets all the same: its text, and whatever texts are in it. */
export function inspectPacket(raw: Uint8Array, allowed: AllowUnredacted): CheckedPacket {
  const parsed = parsePacket(raw);
  if (parsed.outcome === 'valid') return { packet: parsed.packet, problem: null, findings: withoutAllowed(checkPacket(parsed.packet), allowed) };
  const text = Buffer.from(raw).toString();
  const inside = checkPacket(parseAnything(text) as Packet);
  const findings = inside.length > 0 ? inside : checkPacket({ text } as object as Packet);
  return { packet: null, problem: parsed.message, findings: withoutAllowed(findings, allowed) };
}

/** A packet as a server gave it out: it is shown even where this program would not have taken it. */
export function readServedPacket(body: string): Packet | null {
  const parsed = parsePacket(body, { anySize: true });
  return parsed.outcome === 'valid' ? parsed.packet : null;
}

function parseAnything(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // the text itself is searched instead
  }
}

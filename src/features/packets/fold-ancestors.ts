import type { Packet, PacketDecision } from './packet.ts';

/** The packet with the locked decisions of those before it that nobody has taken up again since; a decision of the same words replaces an older one. */
export function foldAncestors(packet: Packet, ancestors: readonly Packet[]): Packet {
  const known = new Set((packet.decisions ?? []).map(subject));
  const inherited: PacketDecision[] = [];
  for (const ancestor of ancestors) {
    for (const decision of ancestor.decisions ?? []) {
      if (known.has(subject(decision))) continue;
      known.add(subject(decision));
      if (decision.locked === true)
        inherited.push({ ...decision, why: `${decision.why} (decided in ${ancestor.id})`.trim() });
    }
  }
  return inherited.length === 0 ? packet : { ...packet, decisions: [...(packet.decisions ?? []), ...inherited] };
}

function subject({ what }: PacketDecision): string {
  return what
    .toLowerCase()
    .replace(/[\s.]+/g, ' ')
    .trim();
}

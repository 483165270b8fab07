import type { Caller } from '../../model/caller.ts';
import type { PacketChain } from '../../model/packet-record.ts';
import type { EngineParts } from '../engine-parts.ts';
import { findPacket, needPacket } from './find-packet.ts';
import { toStoredPacket } from './packet-record.ts';

const MAX_LENGTH = 200;

/** What a packet continues, as far as the caller may see it; a parent is looked for where its child is first. */
export async function listAncestors(parts: EngineParts, caller: Caller, id: string): Promise<PacketChain> {
  const chain: PacketChain = {
    packets: [toStoredPacket(await needPacket(parts, caller, id))],
    missing: null,
    circular: false,
  };
  while (chain.packets.length < MAX_LENGTH) {
    const { packet, space } = chain.packets.at(-1)!;
    if (packet.parent_id === undefined) return chain;
    const parent = await findPacket(parts, caller, packet.parent_id, space);
    if (parent === null) return { ...chain, missing: packet.parent_id };
    if (chain.packets.some(({ recordId, space: where }) => recordId === parent.id && where === parent.space))
      return { ...chain, circular: true };
    chain.packets.push(toStoredPacket(parent));
  }
  return { ...chain, missing: chain.packets.at(-1)?.packet.parent_id ?? null };
}

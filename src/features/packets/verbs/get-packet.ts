import { EngineError } from '../../../model/errors.ts';
import { lowestTrust, type Trust } from '../../../model/record.ts';
import { describeOrigin } from '../../../verbs/describe-origin.ts';
import { defineVerb, type HostContext } from '../../../verbs/verb.ts';
import type { Packet } from '../packet.ts';
import { packetCommand, packetId } from './packet-input.ts';
import { type Publication, publicationOf } from './publish-packet.ts';

export interface GivenPacket extends Partial<Publication>, Partial<ReturnType<typeof describeOrigin>> {
  /** null where a server gave out what is not a packet. */
  packet: Packet | null;
  /** As it is kept; from a server, as it gave it out. */
  canonical: string;
}

export const getPacket = defineVerb<{ id: string }, GivenPacket, HostContext>({
  needs: 'read',
  input: { id: packetId },
  async run(context, { id }) {
    const { packet, canonical, published, ...stored } = await context.engine.getPacket(context.caller, id);
    const publication = published === null ? {} : publicationOf(published, context.url);
    return { packet, canonical, ...publication, ...describeOrigin(stored, context) };
  },
  command: packetCommand('pull', 'Print a packet as JSON', {
    examples: ['ltm pull 01KA3V7Q2M8XWZ5T9B4CDEFGHJ > packet.json'],
  }),
});

/** For whoever cannot do without it. */
export function needPacket(packet: Packet | null): Packet {
  if (packet !== null) return packet;
  throw new EngineError('invalid_input', 'The server returned something that is not a packet.', {
    hint: '`ltm pull` shows it unchanged.',
  });
}

export interface Ancestors {
  /** The packet itself, its parent, and so on. */
  packets: Packet[];
  /** The parent at which it ends although it goes on; null at a packet without one. */
  missing: string | null;
  /** A packet continues itself, at whatever distance: it is shown once. */
  circular: boolean;
  /** The lowest of them all; a server of another make does not say. */
  trust?: Trust;
}

export function lowestOf(packets: readonly { trust: Trust }[]): Trust {
  return packets.map(({ trust }) => trust).reduce(lowestTrust);
}

export const listAncestors = defineVerb<{ id: string }, Ancestors>({
  needs: 'read',
  input: { id: packetId },
  async run({ engine, caller }, { id }) {
    const { packets, ...end } = await engine.listAncestors(caller, id);
    return { packets: packets.map(({ packet }) => packet), ...end, trust: lowestOf(packets) };
  },
  command: packetCommand('log', 'Show the chain of packets that a packet continues'),
});

import { EngineError } from '../../model/errors.ts';
import type { Packet } from '../../model/packet.ts';
import type { PacketHost } from '../../server/local-host.ts';
import { callHost, packetPath } from './call-host.ts';

export interface FetchedPacket {
  packet: Packet;
  /** As the server gave it out. */
  body: string;
  publishedAt: string | undefined;
  publicUrl: string | undefined;
}

export async function fetchPacket(host: PacketHost, id: string, team?: string): Promise<FetchedPacket> {
  const response = await callHost(host, packetPath(id, team));
  const body = await response.text();
  const header = (name: string): string | undefined => response.headers.get(name) ?? undefined;
  return {
    packet: await readPacket(body),
    body,
    publishedAt: header('x-ltm-published-at'),
    publicUrl: header('x-ltm-public-url'),
  };
}

interface Chain {
  packets: Packet[];
  missing: string | null;
  circular: boolean;
}

const MAX_LENGTH = 200;

/** The packet and those it continues, nearest first. A server of another make has no address for that: then they are fetched one by one. */
export async function fetchAncestors(host: PacketHost, id: string, team?: string): Promise<Chain> {
  const response = await host.fetch(packetPath(id, team, '/ancestors'));
  if (!response.ok) return walkBack(host, id, team);
  const { packets, missing, circular } = (await response.json()) as Omit<Chain, 'packets'> & { packets: unknown[] };
  return { packets: await Promise.all(packets.map((packet) => readPacket(JSON.stringify(packet)))), missing, circular };
}

async function walkBack(host: PacketHost, id: string, team: string | undefined): Promise<Chain> {
  const packets = [(await fetchPacket(host, id, team)).packet];
  for (
    let parent = packets[0]?.parent_id;
    parent !== undefined && packets.length < MAX_LENGTH;
    parent = packets.at(-1)?.parent_id
  ) {
    if (packets.some((packet) => packet.id === parent)) return { packets, missing: null, circular: true };
    const response = await host.fetch(packetPath(parent, team));
    if (!response.ok) return { packets, missing: parent, circular: false };
    packets.push(await readPacket(await response.text()));
  }
  return { packets, missing: null, circular: false };
}

async function readPacket(body: string): Promise<Packet> {
  const { readServedPacket } = await import('../../server/packet-forms.ts');
  const packet = readServedPacket(body);
  if (packet === null)
    throw new EngineError('invalid_input', 'The server gave out what is not a packet.', {
      hint: '`ltm pull` shows it as it is.',
    });
  return packet;
}

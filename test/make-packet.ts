import type { Packet } from '../src/features/packets/packet.ts';

/** The least that is a packet, with what a test adds. */
export function makePacket(more: Partial<Packet> = {}): Packet {
  return {
    ltm_version: '0.2',
    id: '01TESTPACKET0000000000000A',
    created_at: '2026-01-31T09:30:00Z',
    goal: 'Make the login page load in under a second.',
    next_step: 'Measure the three slowest queries.',
    ...more,
  };
}

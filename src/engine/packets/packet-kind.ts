import type { Kind } from '../records/kind.ts';
import { packetPassages } from './packet-passages.ts';
import { derivePacketContent, readPacket } from './packet-record.ts';
import { packetRecordId } from './packet-record-id.ts';

export const packetKind: Kind = {
  name: 'packet',
  plural: 'packets',
  code: 1,
  ownVerbs: ['store', 'update', 'delete', 'restore'],
  listPassages: (content) => packetPassages(readPacket(content).packet),
  derive: derivePacketContent,
  async findFaults({ id, body: { canonical, pushedBy } }) {
    if (typeof canonical === 'string' && typeof pushedBy === 'string') {
      const { parsePacket } = await import('./parse-packet.ts');
      const parsed = parsePacket(canonical);
      if (parsed.outcome === 'valid' && parsed.canonical === canonical && packetRecordId(parsed.packet.id) === id)
        return [];
    }
    return ['this is not a packet, or not the one of its id'];
  },
  describeHit: (record, part) => ({ id: readPacket(record).packet.id, part }),
  screened: (content) => readPacket(content).packet,
};

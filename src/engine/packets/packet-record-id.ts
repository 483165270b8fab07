import { createHash } from 'node:crypto';
import { bytesInBase32, RECORD_ID_LENGTH, type RecordId } from '../../model/ids.ts';

/** Made of the packet's own id, so that a space has each packet once: 100 bits of its SHA-256. */
export function packetRecordId(packetId: string): RecordId {
  const digest = createHash('sha256').update(`packet\n${packetId}`).digest();
  return bytesInBase32(digest.subarray(0, RECORD_ID_LENGTH));
}

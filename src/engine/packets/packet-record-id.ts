import { createHash } from 'node:crypto';
import { RECORD_ID_LENGTH, type RecordId } from '../../model/ids.ts';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Made of the packet's own id, so that a space has each packet once: 100 bits of its SHA-256. */
export function packetRecordId(packetId: string): RecordId {
  const digest = createHash('sha256').update(`packet\n${packetId}`).digest();
  return Array.from(digest.subarray(0, RECORD_ID_LENGTH), (byte) => ALPHABET[byte & 31]).join('');
}

import { type AllowUnredacted, type PacketFinding, withoutAllowed } from '../../model/packet-record.ts';
import type { RecordContent } from '../../model/record.ts';
import type { Kind } from './kind.ts';

/** What looks like a secret in a record that is about to be stored: the one place that asks, for every kind that is screened. */
export async function screenRecord(
  kind: Kind,
  content: RecordContent,
  allowed: AllowUnredacted = false,
): Promise<PacketFinding[]> {
  if (kind.screened === undefined || allowed === true) return [];
  const { checkPacket } = await import('../../privacy/check-packet.ts');
  return withoutAllowed(checkPacket(kind.screened(content)), allowed);
}

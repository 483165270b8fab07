import type { PacketFinding } from '../model/packet-record.ts';
import { findSecrets } from './find-secrets.ts';
import { maskSecret } from './mask-secret.ts';

/**
 * What must not ride along in a packet: in every text field, at most one finding of a rule a field. Empty when it may be sent. What only wants to be a packet is
 * searched in the same way.
 */
export function checkPacket(packet: unknown): PacketFinding[] {
  return listTexts(packet, '').flatMap(([field, text]) => {
    const byRule = new Map<number, PacketFinding>();
    for (const finding of findSecrets(text)) {
      const { kind, pattern } = finding;
      if (!byRule.has(pattern))
        byRule.set(pattern, { field, kind, shown: maskSecret(finding, text.slice(finding.start, finding.end)) });
    }
    return [...byRule.values()];
  });
}

function listTexts(value: unknown, field: string): [string, string][] {
  if (typeof value === 'string') return [[field, value]];
  if (Array.isArray(value)) return value.flatMap((item, i) => listTexts(item, `${field}[${i}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => listTexts(item, field === '' ? name : `${field}.${name}`));
}

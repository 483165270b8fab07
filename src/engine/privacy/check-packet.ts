import type { Packet } from '../../model/packet.ts';
import { findSecrets } from './find-secrets.ts';
import { maskSecret } from './mask-secret.ts';
import type { RuleMode } from './secret-rule.ts';

export interface PacketFinding {
  /** `goal`, `decisions[0].why`, `project.ref` … */
  field: string;
  kind: string;
  /** Never a whole secret. */
  shown: string;
  mode: RuleMode;
}

/** What must not ride along in a packet: in every text field, at most one finding of a rule a field. Empty when it may be sent. */
export function checkPacket(packet: Packet): PacketFinding[] {
  return listTexts(packet, '').flatMap(([field, text]) => {
    const byRule = new Map<number, PacketFinding>();
    for (const finding of findSecrets(text)) {
      const { kind, mode, pattern } = finding;
      if (!byRule.has(pattern)) byRule.set(pattern, { field, kind, mode, shown: maskSecret(finding, text.slice(finding.start, finding.end)) });
    }
    return [...byRule.values()];
  });
}

/** `decisions[0].why/aws-key: AKIA****…` */
export function describePacketFinding({ field, kind, shown }: Pick<PacketFinding, 'field' | 'kind' | 'shown'>): string {
  return `${field}/${kind}: ${shown}`;
}

function listTexts(value: unknown, field: string): [string, string][] {
  if (typeof value === 'string') return [[field, value]];
  if (Array.isArray(value)) return value.flatMap((item, i) => listTexts(item, `${field}[${i}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => listTexts(item, field === '' ? name : `${field}.${name}`));
}

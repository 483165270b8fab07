import { findSecrets } from '../../privacy/find-secrets.ts';
import type { Finding } from '../../privacy/secret-rule.ts';
import type { PacketFinding } from './packet-record.ts';

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

const SHOWN = 32;
const OPEN = 4;

/**
 * What a report may show of a finding. Paths and other things that are no secret: as they are, cut at 32 characters with `…`. A secret: its first characters, which
 * tell the vendor, stars for the rest, of the same length up to the cut. Of a private key never more than that there is one.
 */
export function maskSecret({ kind, mode }: Finding, found: string): string {
  if (kind === 'private-key') return '-----BEGIN ***** PRIVATE KEY-----';
  const characters = [...found.replace(/\s+/g, ' ')];
  const open = mode === 'block' ? characters.length : Math.min(OPEN, Math.floor(characters.length / 4));
  const masked = characters.map((character, i) => (i < open ? character : '*'));
  return masked.length > SHOWN ? `${masked.slice(0, SHOWN).join('')}…` : masked.join('');
}

const QUOTED = /"(?:[^"\\\n]|\\.)*"/g;

/**
 * Texts of a JSON document that are none of its values: those of a key that is written twice, and the keys themselves. Of a document that cannot be read, for
 * which `value` is null, all that stands between quotes.
 */
export function hiddenTexts(json: string, value: unknown): string[] {
  const seen = new Set<string>();
  collect(value, seen);
  return [...json.matchAll(QUOTED)].map(([quoted]) => unquote(quoted)).filter((text) => !seen.has(text));
}

function collect(value: unknown, seen: Set<string>): void {
  if (typeof value === 'string') seen.add(value);
  else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) collect(item, seen);
}

function unquote(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return quoted.slice(1, -1); // an escape that JSON does not know: searched as it is written
  }
}

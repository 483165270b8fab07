import type { FieldFinding } from './field-finding.ts';
import { findSecrets } from './find-secrets.ts';
import type { Finding } from './secret-rule.ts';

/** Secrets in the texts of something that must have none, by the strict rules: at most one finding of a rule a field. Empty when it may be stored or sent. */
export function checkFields(value: unknown): FieldFinding[] {
  return listTexts(value, '').flatMap(([field, text]) => {
    const byRule = new Map<number, FieldFinding>();
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

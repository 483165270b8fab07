import type { Finding } from './secret-rule.ts';

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

import { MAX_JSON_DEPTH, measureDepth, parseJson } from '../../model/json-text.ts';
import { checkFields } from '../../privacy/check-fields.ts';
import { type AllowUnredacted, type FieldFinding, withoutAllowed } from '../../privacy/field-finding.ts';
import type { Packet } from './packet.ts';
import { parsePacket } from './parse-packet.ts';

export { diffPackets } from './diff-packets.ts';
export { EXAMPLE_PACKET } from './example-packet.ts';
export { foldAncestors } from './fold-ancestors.ts';
export { canonicalPacket } from './parse-packet.ts';
export { renderResume } from './render-resume.ts';
export { renderShow } from './render-show.ts';

export interface CheckedPacket {
  /** null when it is not a packet; `problem` says why. */
  packet: Packet | null;
  problem: string | null;
  /** What must not leave this machine, less what the person allows. */
  findings: FieldFinding[];
}

/**
 * Looked at before the first byte is sent. The bytes go as they are, so all that is in them is searched: also what a repeated key hides from whoever reads the
 * packet, and what is no packet at all.
 */
export function inspectPacket(raw: Uint8Array, allowed: AllowUnredacted): CheckedPacket {
  const parsed = parsePacket(raw);
  const text = Buffer.from(raw).toString();
  // so deep that it is no packet, and that a walk through it would not end well
  const value = measureDepth(text) > MAX_JSON_DEPTH ? undefined : parseJson(text);
  const seen = checkFields(parsed.outcome === 'valid' ? parsed.packet : value);
  const unseen = [...(parsed.outcome === 'valid' ? [] : [text]), ...hiddenTexts(text, value)].flatMap((one) =>
    checkFields({ text: one }),
  );
  // The same secret may be seen as it is written and as it reads.
  const distinct = [...new Map(unseen.map((finding) => [finding.kind, finding])).values()];
  const findings = withoutAllowed(seen.length > 0 ? seen : distinct, allowed);
  return parsed.outcome === 'valid'
    ? { packet: parsed.packet, problem: null, findings }
    : { packet: null, problem: parsed.message, findings };
}

const QUOTED = /"(?:[^"\\\n]|\\.)*"/g;

/**
 * Texts of a JSON document that are none of its values: those of a key that is written twice, and the keys themselves. Of a document that cannot be read, for
 * which `value` is null, all that stands between quotes.
 */
function hiddenTexts(json: string, value: unknown): string[] {
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

import { findSecrets } from './find-secrets.ts';
import type { Finding } from './secret-rule.ts';

export interface Replaced {
  text: string;
  /** Places in the text as it was; those of mode `flag` and `block` are still in it. */
  findings: Finding[];
}

/** Secrets that are written together, without a blank, may come to light one after the other. */
const MAX_PASSES = 8;

/** Types, tags, projects and names of fields come with every record anew: those without a secret are remembered, up to so many, then the memory starts afresh. */
const MAX_REMEMBERED = 1000;
const LONGEST_REMEMBERED = 100;
const harmless = new Set<string>();

/**
 * The text with every secret replaced by `[redacted:<kind>]`. Nothing else is changed, a second time changes nothing, and JSON text stays JSON: neither
 * the marker nor a match holds half of a string.
 */
export function replaceSecrets(text: string): Replaced {
  if (harmless.has(text)) return { text, findings: [] };
  let findings = findSecrets(text);
  if (findings.length === 0 && text.length <= LONGEST_REMEMBERED) rememberHarmless(text);
  let replaced = writeMarkers(text, findings);
  for (let pass = 1; pass < MAX_PASSES && replaced !== text; pass++) {
    const hidden = findSecrets(replaced).filter(({ mode }) => mode === 'redact');
    if (hidden.length === 0) break;
    findings = join(findings, moveBack(hidden, findings));
    replaced = writeMarkers(text, findings);
  }
  return { text: replaced, findings };
}

function rememberHarmless(text: string): void {
  if (harmless.size >= MAX_REMEMBERED) harmless.clear();
  harmless.add(text);
}

/** Both in one order, without those that are no secret and overlap one. */
function join(findings: readonly Finding[], more: readonly Finding[]): Finding[] {
  const joined: Finding[] = [];
  for (const next of [...findings, ...more].sort((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last === undefined || next.start >= last.end) joined.push(next);
    else if (last.mode !== 'redact' && next.mode === 'redact') joined[joined.length - 1] = next;
  }
  return joined;
}

function marker({ kind }: Finding): string {
  return `[redacted:${kind}]`;
}

function writeMarkers(text: string, findings: readonly Finding[]): string {
  let replaced = '';
  let from = 0;
  for (const finding of findings) {
    if (finding.mode !== 'redact') continue;
    replaced += text.slice(from, finding.start) + marker(finding);
    from = finding.end;
  }
  return from === 0 ? text : replaced + text.slice(from);
}

/** From places in the text with markers to those in the text without. Both lists are in order. */
function moveBack(hidden: readonly Finding[], findings: readonly Finding[]): Finding[] {
  const markers = findings.filter(({ mode }) => mode === 'redact');
  let passed = 0;
  let shift = 0;
  return hidden.map((one) => {
    for (; passed < markers.length; passed++) {
      const { start, end } = markers[passed]!;
      const { length } = marker(markers[passed]!);
      if (one.start < start + shift + length) break;
      shift += length - (end - start);
    }
    return { ...one, start: one.start - shift, end: one.end - shift };
  });
}

import type { DocumentSection } from '../../model/document.ts';
import type { Redaction } from '../../model/redaction.ts';
import type { Redactor } from '../records/redact-content.ts';
import { findTextBreak } from '../records/split-passages.ts';
import { createPacer } from '../search/index/pacer.ts';
import { cleanText } from './cut-sections.ts';

/** A key of several lines has none that is blank: a window that ends at one cuts none in two. */
const WINDOW_CHARS = 40_000;

/** Before anything is cut, so that no secret is cut in two; a window at a time, so that others get their turn. */
export async function screenSections(
  redactor: Redactor,
  sections: readonly DocumentSection[],
): Promise<{ sections: DocumentSection[]; redactions: Redaction[] }> {
  const redactions: Redaction[] = [];
  const screened: DocumentSection[] = [];
  const pace = createPacer();
  for (const section of sections) {
    const text = cleanText(section.text);
    const parts = [];
    for (const window of text.length <= WINDOW_CHARS ? [text] : windowsOf(text)) {
      await pace();
      const { value, redactions: found } = redactor.value('content', window);
      parts.push(value);
      redactions.push(...found.map((one) => ({ ...one, line: one.line + (section.line ?? 1) - 1 })));
    }
    const headings = redactor.value('headings', [...section.headings]);
    redactions.push(...headings.redactions);
    screened.push({ ...section, headings: headings.value, text: parts.join('') });
  }
  return { sections: screened, redactions };
}

/** Together the text, to the last character; each ends at a border of the text, whatever stands there. */
export function* windowsOf(text: string): Generator<string> {
  let at = 0;
  while (at < text.length) {
    const end = findTextBreak(text, at, WINDOW_CHARS);
    yield text.slice(at, end);
    at = end;
  }
}

import type { DocumentSection } from '../../model/document.ts';
import type { Redaction } from '../../model/redaction.ts';
import type { Redactor } from '../records/redact-content.ts';
import { createPacer } from '../search/index/pacer.ts';
import { cleanText } from './cut-sections.ts';

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
    await pace();
    await redactor.readAhead(text);
    const { value, redactions: found } = redactor.value('content', text);
    redactions.push(...found.map((one) => ({ ...one, line: one.line + (section.line ?? 1) - 1 })));
    const headings = redactor.value('headings', [...section.headings]);
    redactions.push(...headings.redactions);
    screened.push({ ...section, headings: headings.value, text: value });
  }
  return { sections: screened, redactions };
}

import type { KeyFinder, Redactor } from '../../engine/records/redact-content.ts';
import type { Redaction } from '../../model/redaction.ts';
import { createPacer } from '../../search/index/pacer.ts';
import { cleanText } from './cut-sections.ts';
import type { DocumentSection } from './document.ts';

/** Before anything is cut, so that no secret is cut in two; a window at a time, so that others get their turn. */
export async function screenSections(
  redactor: Redactor,
  given: readonly DocumentSection[],
): Promise<{ sections: DocumentSection[]; redactions: Redaction[] }> {
  const redactions: Redaction[] = [];
  const screened: DocumentSection[] = [];
  const pace = createPacer();
  const cleaned = given.map((section) => ({ ...section, text: cleanText(section.text) }));
  const keys = await redactor.findKeys();
  const sections = keys === null ? cleaned : await joinCutKeys(keys, cleaned);
  for (const section of sections) {
    const { text } = section;
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

/** What a reader took for sections and may hold a key together is looked at up to this length. */
const MOST_CHARS = 40_000;

interface Part {
  section: DocumentSection;
  /** Its headings that are not those of the section before. */
  own: readonly string[];
  /** What is read of both, as it follows the part before. */
  text: string;
}

/** Lines of a private key may look like headings, rows or pages to a reader: sections that hold one together become one. */
async function joinCutKeys(keys: KeyFinder, sections: readonly DocumentSection[]): Promise<DocumentSection[]> {
  const joined: DocumentSection[] = [];
  const swallowed = new Set<string>();
  const pace = createPacer();
  const flush = (run: readonly Part[]): void => {
    for (const group of run.length > 1 ? groupByKeys(keys, run) : [run]) {
      const section = group.length > 1 ? joinParts(group, swallowed) : group[0]!.section;
      joined.push(
        swallowed.size > 0 && group.length === 1
          ? { ...section, headings: section.headings.filter((heading) => !swallowed.has(heading)) }
          : section,
      );
    }
  };
  let run: Part[] = [];
  let chars = 0;
  for (const [place, section] of sections.entries()) {
    await pace();
    const part = toPart(section, sections[place - 1]);
    const last = run.at(-1);
    if (last !== undefined && (chars > MOST_CHARS || !keys.mayPartKey(last.text, part.text))) {
      flush(run);
      run = [];
      chars = 0;
    }
    run.push(part);
    chars += part.text.length;
  }
  if (run.length > 0) flush(run);
  return joined;
}

function toPart(section: DocumentSection, before: DocumentSection | undefined): Part {
  const { headings, text } = section;
  let shared = 0;
  while (shared < headings.length && headings[shared] === before?.headings[shared]) shared++;
  const own = headings.slice(shared);
  // A heading under which nothing stands is its own text.
  const said = own.at(-1) === text ? own : [...own, text];
  return { section, own, text: said.join('\n') };
}

/** Neighbours over which one key lies, together; all others alone. */
function groupByKeys(keys: KeyFinder, run: readonly Part[]): Part[][] {
  const found = keys.findKeys(run.map(({ text }) => text).join('\n'));
  const groups: Part[][] = [];
  let at = 0;
  let wasTouched = false;
  for (const part of run) {
    const end = at + part.text.length;
    const isTouched = found.some(([from, to]) => from < end && to > at);
    if (isTouched && wasTouched) groups.at(-1)!.push(part);
    else groups.push([part]);
    wasTouched = isTouched;
    at = end + 1;
  }
  return groups;
}

function joinParts(group: readonly Part[], swallowed: Set<string>): DocumentSection {
  const { section, own } = group[0]!;
  const isAlone = own.at(-1) === section.text;
  const headings = isAlone ? section.headings.slice(0, -1) : section.headings;
  for (const part of group.slice(isAlone ? 0 : 1)) for (const heading of part.own) swallowed.add(heading);
  const texts = [section.text, ...group.slice(1).map(({ text }) => text)];
  return { ...section, headings: headings.filter((heading) => !swallowed.has(heading)), text: texts.join('\n') };
}

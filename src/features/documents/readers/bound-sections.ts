import type { DocumentSection } from '../document.ts';

/** Far more than any book has. What has more says the same few words under each of its headings. */
const MAX_SECTIONS = 10_000;
/** Where there are too many, neighbours are joined up to this length. */
const JOINED_CHARS = 3000;
/** Blank lines between two neighbours that are joined: more begin a section of their own. */
const MAX_GAP = 50;
const MAX_HEADINGS = 8;
/** The engine shows less; whoever writes a heading of a megabyte would have it looked through with each section below. */
const MAX_HEADING_CHARS = 600;

/** As many sections as the text deserves: each of them becomes a record, however short it is. */
export function boundSections(sections: readonly DocumentSection[]): DocumentSection[] {
  const bounded = sections.map((section) => ({ ...section, headings: boundHeadings(section.headings) }));
  return bounded.length <= MAX_SECTIONS ? bounded : [...joinNeighbours(bounded)];
}

function boundHeadings(headings: readonly string[]): string[] {
  return headings
    .slice(-MAX_HEADINGS)
    .map((heading) =>
      heading.length <= MAX_HEADING_CHARS ? heading : heading.slice(0, MAX_HEADING_CHARS).toWellFormed(),
    );
}

function* joinNeighbours(sections: readonly DocumentSection[]): Generator<DocumentSection> {
  let group: DocumentSection[] = [];
  let chars = 0;
  let line = 0;
  for (const section of sections) {
    const gap = section.line === undefined ? 0 : section.line - line;
    if (group.length > 0 && (chars + section.text.length > JOINED_CHARS || gap > MAX_GAP)) {
      yield join(group);
      group = [];
      chars = 0;
    }
    group.push(section);
    chars += section.text.length + section.headings.join('').length;
    if (section.line !== undefined) line = section.line + countLines(section.text);
  }
  if (group.length > 0) yield join(group);
}

/** Under the headings that they share; the others stand above their texts. Each text keeps its line. */
function join(group: readonly DocumentSection[]): DocumentSection {
  const [first] = group as [DocumentSection];
  if (group.length === 1) return first;
  const shared = group.reduce((most, { headings }) => countShared(first.headings, headings, most), Infinity);
  const headings = first.headings.slice(0, shared);
  let line = first.line ?? 0;
  const texts = group.map((section, i) => {
    const own = section.headings.slice(shared);
    // a heading under which nothing stands is its own text
    if (own.at(-1) === section.text) own.pop();
    const said = own.join(' › ').replaceAll(/\s+/g, ' ').trim();
    const gap = section.line === undefined ? Math.min(1, i) : section.line - line;
    line = (section.line ?? line) + countLines(section.text);
    const above = said === '' ? '' : `${said}${gap > 0 ? '\n' : ': '}`;
    return `${'\n'.repeat(Math.max(0, said === '' ? gap : gap - 1))}${above}${section.text}`;
  });
  return { ...first, headings, text: texts.join('\n') };
}

function countShared(one: readonly string[], other: readonly string[], most: number): number {
  let shared = 0;
  while (shared < Math.min(most, one.length, other.length) && one[shared] === other[shared]) shared++;
  return shared;
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

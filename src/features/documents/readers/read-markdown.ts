import { readFrontMatter } from '../../../model/read-front-matter.ts';
import type { DocumentSection, ReadDocument } from '../document.ts';

/** Headings make the sections; what stands in fenced code is no heading. */
export function readMarkdown(source: string): Omit<ReadDocument, 'format' | 'warnings'> {
  const { fields, body } = readFrontMatter(source.replaceAll(/\r\n?/g, '\n'));
  const skipped = source.replaceAll(/\r\n?/g, '\n').length - body.length;
  const first = 1 + (skipped > 0 ? source.replaceAll(/\r\n?/g, '\n').slice(0, skipped).split('\n').length - 1 : 0);
  const sections = splitAtHeadings(body.split('\n'), first);
  const said = [fields.title ?? []].flat()[0];
  const topmost = sections.find(({ level }) => level === 1)?.headings[0];
  return {
    title: said ?? topmost ?? null,
    tags: [fields.tags ?? [], fields.keywords ?? []].flat().map((tag) => tag.replace(/^#/, '')),
    pages: null,
    sections: sections.map(({ headings, text, line }) => ({ headings, text, line })),
  };
}

interface Piece extends DocumentSection {
  line: number;
  level: number;
}

function splitAtHeadings(lines: readonly string[], first: number): Piece[] {
  const pieces: Piece[] = [];
  const above: { level: number; title: string; line: number }[] = [];
  let held: string[] = [];
  let start = first;
  let fence: string | null = null;
  const close = (isLeaf: boolean): void => {
    const blank = held.findIndex((line) => line.trim() !== '');
    const own = above.at(-1);
    const headings = above.map(({ title }) => title);
    if (blank >= 0)
      pieces.push({
        headings,
        text: held.slice(blank).join('\n').trimEnd(),
        line: start + blank,
        level: own?.level ?? 0,
      });
    // a heading under which nothing stands, neither text nor further headings, is a statement by itself
    else if (own !== undefined && isLeaf) pieces.push({ headings, text: own.title, line: own.line, level: own.level });
    held = [];
  };
  let underline = -1;
  lines.forEach((line, i) => {
    if (i === underline) return;
    const opened = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (opened !== undefined && fence === null) fence = opened;
    else if (opened !== undefined && fence !== null && opened.startsWith(fence)) fence = null;
    const found = fence === null ? readHeading(line, lines[i + 1], held) : null;
    if (found === null) {
      held.push(line);
      return;
    }
    close(above.length > 0 && found.level <= above.at(-1)!.level);
    while (above.length > 0 && above.at(-1)!.level >= found.level) above.pop();
    above.push({ ...found, line: first + i });
    underline = found.isUnderlined ? i + 1 : -1;
    start = first + i + (found.isUnderlined ? 2 : 1);
  });
  close(true);
  return pieces;
}

/** Longer lines are text, and patterns take their time on one. */
const MAX_HEADING_CHARS = 500;

/** `# Title`, or a line that the next one underlines, after a blank line or another heading. */
function readHeading(
  line: string,
  next: string | undefined,
  held: readonly string[],
): { level: number; title: string; isUnderlined: boolean } | null {
  if (line.length > MAX_HEADING_CHARS) return null;
  const marked = /^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/.exec(line);
  if (marked !== null && marked[2] !== '')
    return { level: marked[1]!.length, title: plain(marked[2]!), isUnderlined: false };
  const isAlone = held.length === 0 || held.at(-1)!.trim() === '';
  const below = next === undefined || next.length > MAX_HEADING_CHARS ? null : /^(={3,}|-{3,})[ \t]*$/.exec(next);
  if (below === null || !isAlone || line.trim() === '' || /^[\s>*+|-]/.test(line)) return null;
  return { level: below[1]!.startsWith('=') ? 1 : 2, title: plain(line), isUnderlined: true };
}

/** Without what only marks it up. */
function plain(heading: string): string {
  return heading
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]+/g, '')
    .replace(/\s*\{#[\w-]+\}\s*$/, '')
    .trim();
}

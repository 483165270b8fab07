import type { DocumentSection, ReadDocument } from '../document.ts';

/** What is declared at the left margin, in the words of most languages; the name is what is found. */
const DECLARATIONS: readonly RegExp[] = [
  /^(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|class|interface|enum|type|namespace|module)\s+([\w$]+)/,
  /^(?:export\s+)?(?:const|let|var)\s+([\w$]+)\s*(?::[^=]+)?=\s*(?:async\s*)?(?:function|\(|[\w$]+\s*=>)/,
  /^(?:async\s+)?def\s+([\w.?!]+)/,
  /^func\s+(?:\([^)]*\)\s*)?(\w+)/,
  /^(?:pub(?:\([^)]*\))?\s+)?(?:async\s+|unsafe\s+|const\s+|extern\s+(?:"C"\s+)?)*(?:fn|struct|enum|trait|impl|mod|union|macro_rules!)\s*(?:<[^>]*>)?\s*([\w:]+)/,
  /^(?:(?:public|private|protected|internal|static|final|abstract|sealed|open|data|inline|partial|virtual|override)\s+)*(?:class|interface|enum|record|struct|object|trait|protocol|extension|fun|func|namespace)\s+([\w.]+)/,
  /^(?:create|alter)\s+(?:or\s+replace\s+)?(?:temp(?:orary)?\s+)?(?:table|view|function|procedure|index|trigger|type)\s+(?:if\s+not\s+exists\s+)?([\w."]+)/i,
  /^(?:message|service|enum|rpc|schema|input)\s+(\w+)/,
  /^(?:resource|data|module|variable|output)\s+"([^"]+)"/,
  /^(?:static\s+|inline\s+|extern\s+|const\s+|unsigned\s+|struct\s+)*[A-Za-z_][\w:<>,*&\s]*?[\s*&]([A-Za-z_][\w:~]*)\s*\([^;]*$/,
  /^([\w-]+)\s*\(\)\s*\{/,
  /^\[+([^\]]+)\]+\s*$/,
  /^([A-Za-z_][\w-]*):\s*$/,
];
/** Members of a class that is long enough to be cut. */
const LONG_CHARS = 2400;
/** Nobody declares anything in a longer line, and patterns take their time on one. */
const MAX_LINE_CHARS = 300;
const COMMENT = /^\s*(?:\/\/|#|\/\*|\*|--|;|"""|'''|@|\[\[?|<!--)/;

/** Top-level declarations make the sections, each with the comment above it. */
export function readCode(source: string): Omit<ReadDocument, 'format' | 'warnings'> {
  const lines = source
    .replace(/^\uFEFF/, '')
    .replaceAll(/\r\n?/g, '\n')
    .split('\n');
  const starts: { line: number; name: string }[] = [];
  lines.forEach((line, i) => {
    if (line === '' || line.length > MAX_LINE_CHARS || /^\s/.test(line)) return;
    const name = nameOf(line);
    if (name !== null) starts.push({ line: startOfComment(lines, i, starts.at(-1)?.line ?? -1), name });
  });
  const sections: DocumentSection[] = [];
  add(sections, lines, { from: 0, to: starts[0]?.line ?? lines.length, headings: [] });
  starts.forEach(({ line, name }, i) => {
    add(sections, lines, { from: line, to: starts[i + 1]?.line ?? lines.length, headings: [name] });
  });
  return { title: null, tags: [], pages: null, sections };
}

interface Range {
  from: number;
  to: number;
  headings: readonly string[];
}

function add(sections: DocumentSection[], lines: readonly string[], { from, to, headings }: Range): void {
  const text = lines.slice(from, to).join('\n');
  if (text.trim() === '') return;
  if (text.length <= LONG_CHARS || headings.length !== 1) {
    push(sections, lines, { from, to, headings });
    return;
  }
  const indent =
    lines
      .slice(from + 1, to)
      .find((line) => /^\s+\S/.test(line))
      ?.match(/^\s+/)?.[0] ?? '\t';
  let start = from;
  let name: string | null = null;
  for (let i = from + 1; i < to; i++) {
    const line = lines[i]!;
    const isMember = line.length <= MAX_LINE_CHARS && line.startsWith(indent) && /^\S/.test(line.slice(indent.length));
    const found = isMember ? memberOf(line.slice(indent.length)) : null;
    if (found === null) continue;
    const at = startOfComment(lines, i, start);
    push(sections, lines, { from: start, to: at, headings: name === null ? headings : [...headings, name] });
    start = at;
    name = found;
  }
  push(sections, lines, { from: start, to, headings: name === null ? headings : [...headings, name] });
}

function push(sections: DocumentSection[], lines: readonly string[], { from, to, headings }: Range): void {
  let start = from;
  while (start < to && lines[start]!.trim() === '') start++;
  const text = lines.slice(start, to).join('\n').trimEnd();
  if (text !== '') sections.push({ headings, text, line: start + 1 });
}

function nameOf(line: string): string | null {
  for (const pattern of DECLARATIONS) {
    const name = pattern.exec(line)?.[1];
    if (name !== undefined && !/^(?:if|for|while|switch|return|else|catch|do)$/.test(name)) return name;
  }
  return null;
}

const MEMBER =
  /^(?:(?:public|private|protected|internal|static|final|abstract|async|override|virtual|readonly|get|set|pub|const|fun|def|fn|func)\s+)*\*?#?([\w$]+)\s*(?:<[^>]*>)?\s*\([^;]*[{:)]\s*(?:->.*)?(?::.*)?\{?\s*$/;

function memberOf(line: string): string | null {
  const name = MEMBER.exec(line)?.[1] ?? null;
  return name !== null && /^(?:if|for|while|switch|return|else|catch|do|with)$/.test(name) ? null : name;
}

function startOfComment(lines: readonly string[], at: number, floor: number): number {
  let start = at;
  while (start - 1 > floor && COMMENT.test(lines[start - 1]!)) start--;
  return start;
}

/** How languages begin what has a name; the first group that matched is the name. One line at a time, so that nothing runs away. */
const DEFINITIONS: readonly RegExp[] = [
  /\bfunction\s*\*?\s+([A-Za-z_$][\w$]*)/,
  /\b(?:class|interface|trait|struct|enum|protocol|module|namespace|impl(?:<[^>]*>)?)\s+([A-Za-z_$][\w$]*)/,
  /^\s*(?:export\s+)?(?:declare\s+)?type\s+([A-Za-z_]\w*)\b/,
  /\b(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*(?::[^=]{1,80})?=\s*(?:async\s*)?(?:function\b|\([^)]*\)\s*(?::[^=]{1,80})?=>|\w+\s*=>)/,
  /^\s*(?:async\s+)?def\s+(?:self\.)?([A-Za-z_]\w*[?!]?)/,
  /\bfunc\s+(?:\([^)]*\)\s*)?([A-Za-z_]\w*)/,
  /\b(?:fn|fun)\s+(?:<[^>]*>\s*)?([A-Za-z_]\w*)/,
  /^\s*(?:(?:public|private|protected|internal|static|final|override|async|virtual|readonly|get|set)\s+)+(?:[\w<>[\],.?]+\s+)?([A-Za-z_]\w*)\s*\(/,
  /^\s*create\s+(?:or\s+replace\s+)?(?:unique\s+)?(?:table|index|view|function|trigger)\s+(?:if\s+not\s+exists\s+)?["`]?([\w.]+)/i,
  /^\s{2,}(?:async\s+)?\*?([A-Za-z_$][\w$]*)\s*\([^;]*\)\s*(?::\s*[^{;]{1,80})?\{\s*$/,
  /^(?:export\s+)?const\s+([A-Z][A-Z0-9_]{2,})\b/,
  /^#{1,4}\s+(\S.{0,50}?)\s*#*$/,
];
const NO_NAMES = new Set('if for while switch catch return function constructor else do try with new await'.split(' '));
/** The titles of tests are worth more than any name around them. */
const TEST_TITLE = /\b(?:test|it|describe)(?:\.\w+)?\(\s*(['"`])(.{3,80}?)\1/;

/** The name of what a line of code begins to define; null where it defines nothing. */
function readDefinition(line: string): string | null {
  const title = TEST_TITLE.exec(line);
  if (title !== null) return `"${title[2]}"`;
  if (line.length > 400) return null;
  for (const definition of DEFINITIONS) {
    const name = definition.exec(line)?.[1];
    if (name !== undefined && !NO_NAMES.has(name)) return name;
  }
  return null;
}

/** What the changed lines define, each once; where they define nothing, what they stand in as far as the lines before them say. */
export function nameSymbols(changed: readonly string[], before: readonly string[] = []): string[] {
  const names = new Set<string>();
  for (const line of changed) {
    const name = readDefinition(line);
    if (name !== null) names.add(name);
    if (names.size >= 12) break;
  }
  if (names.size > 0) return [...names];
  for (let i = before.length - 1; i >= 0; i--) {
    const name = readDefinition(before[i]!);
    if (name !== null) return [name];
  }
  return [];
}

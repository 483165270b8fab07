const NAMES = [
  /`([^`\n]{2,40})`/g,
  /(?<![\w./-])([A-Za-z][a-z0-9]+(?:[A-Z][a-z0-9]*)+)(?![\w/])/g,
  /(?<![\w./-])([A-Za-z][\w]*_[\w]+)(?![\w/])/g,
  /(?<![\w./-])([A-Z][A-Z0-9]{2,}(?:-\d+)?)(?![\w/])/g,
  /(?<=[a-zà-ÿ,;] )([A-Z][A-Za-z0-9+#.]{2,}[A-Za-z0-9+#])(?![\w/])/g,
];
/** Longer texts name what they are about at the beginning. */
const READ_CHARS = 4_000;

/** What a text calls by a name: code, constants, products. */
export function nameTopics(text: string, most: number): string[] {
  const names = new Map<string, string>();
  for (const pattern of NAMES)
    for (const match of text.slice(0, READ_CHARS).matchAll(pattern)) {
      const name = match[1]!.replace(/\(\)$/, '').trim();
      if (name.length > 1 && !names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
      if (names.size >= most) return [...names.values()];
    }
  return [...names.values()];
}

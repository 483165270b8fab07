const QUOTED = /"(?:[^"\\\n]|\\.)*"/g;

/**
 * Texts of a JSON document that are none of its values: those of a key that is written twice, and the keys themselves. Of a document that cannot be read, for
 * which `value` is null, all that stands between quotes.
 */
export function hiddenTexts(json: string, value: unknown): string[] {
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

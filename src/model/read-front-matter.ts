export interface FrontMatter {
  fields: Readonly<Record<string, string | string[]>>;
  body: string;
}

/** No field of a note is longer, and patterns take their time on one. */
const MAX_LINE_CHARS = 10_000;
const FRONT = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;

/** What stands between the first two lines of dashes: flat fields and lists, which is what notes have; deeper ones are left out. */
export function readFrontMatter(text: string): FrontMatter {
  const [whole, block = ''] = FRONT.exec(text) ?? [];
  if (whole === undefined) return { fields: {}, body: text.replace(/^\uFEFF/, '') };
  const fields: Record<string, string | string[]> = {};
  let list: string[] | null = null;
  for (const line of block.split(/\r?\n/)) {
    if (line.length > MAX_LINE_CHARS) continue;
    const item = /^\s*-\s+(.*)$/.exec(line);
    const field = /^([\p{L}\p{N}_ -]+?)\s*:\s*(.*)$/u.exec(line);
    if (item !== null && list !== null) list.push(unquote(item[1]!));
    else if (field !== null) {
      const [, name = '', value = ''] = field;
      list = [];
      fields[name.trim().toLowerCase()] = value === '' ? list : readValue(value);
    }
  }
  return { fields, body: text.slice(whole.length) };
}

function readValue(value: string): string | string[] {
  const inline = /^\[(.*)\]\s*$/.exec(value.trim());
  if (inline === null) return unquote(value);
  return inline[1]!
    .split(',')
    .map(unquote)
    .filter((item) => item !== '');
}

function unquote(text: string): string {
  return text
    .trim()
    .replace(/^(["'])([\s\S]*)\1$/, '$2')
    .trim();
}

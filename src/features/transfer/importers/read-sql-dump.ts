type Row = Readonly<Record<string, unknown>>;

const CREATE = /CREATE TABLE (?:IF NOT EXISTS )?["`]?(\w+)["`]?\s*\(/giy;
const INSERT = /INSERT (?:OR \w+ )?INTO ["`]?(\w+)["`]?\s*(?:\(([^)]*)\))?\s*VALUES\s*/giy;

/** The rows of a dump of SQL statements, by table: what SQLite's `.dump` and Cloudflare D1's export write. */
export function readSqlDump(text: string): Map<string, Row[]> {
  const columns = new Map<string, string[]>();
  const rows = new Map<string, Row[]>();
  for (let at = 0; at < text.length; ) {
    CREATE.lastIndex = at;
    INSERT.lastIndex = at;
    const created = CREATE.exec(text);
    const inserted = created === null ? INSERT.exec(text) : null;
    if (created !== null) columns.set(created[1]!, columnsOf(text, CREATE.lastIndex));
    if (inserted !== null) {
      const [, table = '', named] = inserted;
      const names = named === undefined ? (columns.get(table) ?? []) : named.split(',').map(bareName);
      const read = readTuples(text, INSERT.lastIndex);
      const list = rows.get(table) ?? [];
      for (const values of read.tuples)
        list.push(Object.fromEntries(names.map((name, i) => [name, values[i] ?? null])));
      rows.set(table, list);
      at = skipBlanks(text, read.end);
    } else at = skipStatement(text, created === null ? at : CREATE.lastIndex);
  }
  return rows;
}

const bareName = (name: string): string => name.trim().replace(/^["`[]|["`\]]$/g, '');

/** Names of columns stand first in each line of a definition; constraints begin with a word of their own. */
function columnsOf(text: string, from: number): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  for (let at = from; at < text.length; at++) {
    const character = text[at]!;
    if (character === '-' && text[at + 1] === '-') at = indexOr(text.indexOf('\n', at), text.length) - 1;
    else if (character === ')' && depth === 0) break;
    else if (character === ',' && depth === 0) {
      parts.push(part);
      part = '';
    } else {
      if (character === '(') depth++;
      if (character === ')') depth--;
      part += character;
    }
  }
  return [...parts, part]
    .map((one) => bareName(/^\s*("[^"]+"|`[^`]+`|\S+)/.exec(one)?.[1] ?? ''))
    .filter((name) => name !== '' && !/^(?:PRIMARY|UNIQUE|FOREIGN|CHECK|CONSTRAINT)$/i.test(name));
}

const indexOr = (index: number, otherwise: number): number => (index < 0 ? otherwise : index);

/** `(…),(…);` with texts in single quotes, in which a quote stands twice. */
function readTuples(text: string, from: number): { tuples: unknown[][]; end: number } {
  const tuples: unknown[][] = [];
  let values: unknown[] = [];
  let bare = '';
  let at = from;
  const take = (): void => {
    if (bare.trim() !== '') values.push(bareValue(bare.trim()));
    bare = '';
  };
  for (; at < text.length; at++) {
    const character = text[at]!;
    if (character === "'") {
      const end = endOfText(text, at + 1);
      const written = text.slice(at + 1, end).replaceAll("''", "'");
      values.push(/x$/i.test(bare.trim()) ? Buffer.from(written, 'hex').toString('utf8') : written);
      bare = '';
      at = end;
    } else if (character === ',') take();
    else if (character === '(' && bare.trim() === '') values = [];
    else if (character === ')') {
      take();
      tuples.push(values);
      values = [];
    } else if (character === ';') break;
    else bare += character;
  }
  return { tuples, end: at + 1 };
}

function endOfText(text: string, from: number): number {
  for (let at = text.indexOf("'", from); at >= 0; at = text.indexOf("'", at + 2)) if (text[at + 1] !== "'") return at;
  return text.length;
}

function bareValue(word: string): unknown {
  if (/^null$/i.test(word)) return null;
  const number = Number(word);
  return Number.isNaN(number) ? word : number;
}

function skipStatement(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "'") at = endOfText(text, at + 1);
    else if (text[at] === ';') return skipBlanks(text, at + 1);
  }
  return text.length;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text[at] ?? '')) at++;
  return at;
}

/** A shared statement as SQLite reads it. */
export interface SqliteText {
  /** Its list, if there is one, is a JSON value. */
  many: string;
  /** Its list is one value, or a few, the first in the list's own place, the others after all other values; null where it has no list, or several. */
  short: { one: string; few: string } | null;
  /** The place of the list; of the first where there are several. */
  list: number | null;
}

/** Listings make statements of many shapes; more than this many are not worth keeping. */
const MAX_TEXTS = 500;
const LIST = /= ANY \(\$(\d+)::\w+\[\]\)/g;
const FOR_MANY_WRITERS = / FOR UPDATE| FOR KEY SHARE|, changed_at = now\(\)/g;

const texts = new Map<string, SqliteText>();

export function translateSql(sql: string, fewValues: number): SqliteText {
  const kept = texts.get(sql);
  if (kept !== undefined) return kept;
  const text = translate(sql.replaceAll(FOR_MANY_WRITERS, ''), fewValues);
  if (texts.size >= MAX_TEXTS) texts.clear();
  texts.set(sql, text);
  return text;
}

function translate(sql: string, fewValues: number): SqliteText {
  const places = new Set(Array.from(sql.matchAll(LIST), (match) => Number(match[1])));
  const [list = null] = places;
  const number = (text: string) => text.replaceAll('$', '?');
  const many = number(sql.replaceAll(LIST, 'IN (SELECT value FROM json_each($$$1))'));
  if (places.size !== 1) return { many, short: null, list };
  const last = Math.max(...Array.from(sql.matchAll(/\$(\d+)/g), (match) => Number(match[1])));
  const more = Array.from({ length: fewValues - 1 }, (_, i) => `, $$${last + 1 + i}`).join('');
  const short = { one: number(sql.replaceAll(LIST, '= $$$1')), few: number(sql.replaceAll(LIST, `IN ($$$1${more})`)) };
  return { many, short, list };
}

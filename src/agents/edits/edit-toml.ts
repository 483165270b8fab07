import { isDeepStrictEqual } from 'node:util';
import { parse } from 'smol-toml';
import { EngineError } from '../../model/errors.ts';
import { isObject } from '../../model/json-text.ts';
import { isOwnEntry } from './own-entry.ts';

/** A table of a TOML text, by its two names: `[mcp_servers.ltm]`. */
export interface TomlTable {
  /** As people know the file, for errors. */
  file: string;
  parent: string;
  name: string;
}

type Value = string | number | boolean | readonly string[] | Readonly<Record<string, string>>;
type Entry = Readonly<Record<string, Value>>;

interface Statement {
  /** Names of the table that a header opens; null for anything else. */
  header: readonly string[] | null;
  /** The key of a pair; null for anything else. */
  key: string | null;
  lines: string[];
}

/** Writes the keys given and keeps the others that the table has. A table that is missing is put at the end. */
export function setTomlTable(text: string, table: TomlTable, entry: Entry): string {
  const before = read(text, table);
  checkShape(before, table);
  const existing = tableOf(before, table);
  if (existing !== undefined && isSubset(entry, existing)) return text;
  const statements = split(text, table);
  const at = statements.findIndex(({ header }) => isTable(header, table));
  if (existing !== undefined && at < 0) throw cannotEdit(table, 'It is written in a form that cannot be edited.');
  const eol = /\r\n|\n/.exec(text)?.[0] ?? '\n';
  const pairs = Object.entries(entry).map(([key, value]) => `${key} = ${render(value)}`);
  const after =
    at < 0 ? append(text, [`[${table.parent}.${table.name}]`, ...pairs], eol) : replace(statements, at, entry);
  checkRest(before, read(after, table), table);
  return after;
}

/** With the tables below it, where it is ours. */
export function removeTomlTable(text: string, table: TomlTable): string {
  const before = read(text, table);
  if (!isOwnEntry(tableOf(before, table))) return text;
  const kept: Statement[] = [];
  // What stands in front of the next header belongs to that one, and the blank line in front of ours to us.
  let between: Statement[] = [];
  let isOurs = false;
  for (const statement of split(text, table)) {
    if (statement.header !== null) {
      const wasOurs = isOurs;
      isOurs = isTable(statement.header.slice(0, 2), table);
      if (isOurs && !wasOurs && isBlankLine(kept.at(-1))) kept.pop();
      if (!isOurs) kept.push(...between);
      between = [];
    }
    if (!isOurs) kept.push(statement);
    else if (statement.header === null && statement.key === null) between.push(statement);
    else between = [];
  }
  kept.push(...between);
  const after = kept.flatMap(({ lines }) => lines).join('');
  checkRest(before, read(after, table), table);
  return after;
}

function isTable(header: readonly string[] | null, { parent, name }: TomlTable): boolean {
  return header?.length === 2 && header[0] === parent && header[1] === name;
}

function isBlankLine(statement: Statement | undefined): boolean {
  return statement?.lines.every((line) => line.trim() === '') === true;
}

function replace(statements: readonly Statement[], at: number, entry: Entry): string {
  const eol = statements.flatMap(({ lines }) => lines).find((line) => line.endsWith('\r\n')) ? '\r\n' : '\n';
  const missing = new Map(Object.entries(entry));
  const end = statements.findIndex(({ header }, index) => index > at && header !== null);
  const lines = statements.flatMap((statement, index) => {
    const isInside = index > at && (end < 0 || index < end);
    const value = isInside && statement.key !== null ? missing.get(statement.key) : undefined;
    if (value === undefined) return statement.lines;
    missing.delete(statement.key!);
    return [`${statement.key} = ${render(value)}${eol}`];
  });
  const rest = [...missing].map(([key, value]) => `${key} = ${render(value)}${eol}`);
  const header = statements.slice(0, at + 1).reduce((sum, one) => sum + one.lines.length, 0);
  const opening = lines[header - 1]!;
  lines.splice(header - 1, 1, opening.endsWith('\n') ? opening : `${opening}${eol}`, ...rest);
  return lines.join('');
}

/** Strings and lists are written as in JSON. */
function render(value: Value): string {
  if (typeof value !== 'object' || Array.isArray(value)) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, one]) => `${JSON.stringify(key)} = ${JSON.stringify(one)}`)
    .join(', ')} }`;
}

function append(text: string, lines: readonly string[], eol: string): string {
  const isEmpty = text.replace(/^\uFEFF/, '') === '';
  const gap = isEmpty ? '' : text.endsWith('\n') ? eol : `${eol}${eol}`;
  return `${text}${gap}${lines.join(eol)}${eol}`;
}

/** A pair ends where it can be read by itself: its value may go over several lines. */
function split(text: string, table: TomlTable): Statement[] {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const statements: Statement[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at]!.replace(/^\uFEFF/, '');
    if (/^\s*(#|$)/.test(line)) {
      statements.push({ header: null, key: null, lines: [lines[at++]!] });
    } else if (/^\s*\[/.test(line)) {
      statements.push({ header: namesOf(line), key: null, lines: [lines[at++]!] });
    } else {
      let end = at + 1;
      while (end <= lines.length && tryParse(lines.slice(at, end).join('')) === undefined) end += 1;
      const own = lines.slice(at, end);
      const [key = null] = Object.keys(tryParse(own.join('').replace(/^\uFEFF/, '')) ?? {});
      if (key === null) throw cannotEdit(table, 'It is written in a form that cannot be edited.');
      statements.push({ header: null, key, lines: own });
      at = end;
    }
  }
  return statements;
}

function namesOf(line: string): string[] {
  const parsed = tryParse(line.replace(/^(\s*)\[\[(.*)\]\]/, '$1[$2]')) ?? {};
  const names: string[] = [];
  let inner: unknown = parsed;
  while (typeof inner === 'object' && inner !== null && Object.keys(inner).length > 0) {
    const [name, next] = Object.entries(inner)[0]!;
    names.push(name);
    inner = next;
  }
  return names;
}

function tryParse(text: string): Record<string, unknown> | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

function read(text: string, table: TomlTable): Record<string, unknown> {
  const content = tryParse(text.replace(/^\uFEFF/, ''));
  if (content === undefined) throw cannotEdit(table, 'It is not valid TOML.');
  return content;
}

function tableOf(content: Record<string, unknown>, { parent, name }: TomlTable): Record<string, unknown> | undefined {
  return (content[parent] as Record<string, Record<string, unknown>> | undefined)?.[name];
}

function checkShape(content: Record<string, unknown>, { parent, name, ...table }: TomlTable): void {
  const isTable = (value: unknown): boolean => value === undefined || (isObject(value) && !(value instanceof Date));
  const wrong = isTable(content[parent]) ? `${parent}.${name}` : parent;
  if (wrong === parent || !isTable(tableOf(content, { parent, name, ...table })))
    throw cannotEdit({ parent, name, ...table }, `"${wrong}" in it is not a table.`);
}

function isSubset(entry: Entry, existing: Record<string, unknown>): boolean {
  return Object.entries(entry).every(([key, value]) => isDeepStrictEqual(existing[key], value));
}

/** Nothing but our table may have changed, whatever the text looks like. */
function checkRest(before: Record<string, unknown>, after: Record<string, unknown>, table: TomlTable): void {
  if (!isDeepStrictEqual(without(before, table), without(after, table)))
    throw cannotEdit(table, 'It is written in a form that cannot be edited.');
}

function without(content: Record<string, unknown>, { parent, name }: TomlTable): unknown {
  const { [name]: _, ...rest } = (content[parent] ?? {}) as Record<string, unknown>;
  return { ...content, [parent]: rest };
}

function cannotEdit({ file, parent, name }: TomlTable, why: string): EngineError {
  return new EngineError('invalid_input', `${file} was left as it is. ${why}`, {
    hint: `Correct it, or write [${parent}.${name}] by hand as docs/connect.md shows it.`,
  });
}

import { EngineError } from '../../model/errors.ts';
import { isOwnEntry } from './own-entry.ts';

/** An entry of a mapping at the top of a YAML text: `extensions: ltm: …`. Only block style is edited; anything else is refused. */
export interface YamlEntry {
  /** As people know the file, for errors. */
  file: string;
  parent: string;
  name: string;
}

type Value = string | number | boolean | readonly string[] | Readonly<Record<string, string>>;

/** Replaces the entry, or puts it behind the last one. */
export function setYamlEntry(text: string, entry: YamlEntry, value: Readonly<Record<string, Value>>): string {
  const eol = /\r\n|\n/.exec(text)?.[0] ?? '\n';
  const lines = splitLines(text, entry);
  const block = findBlock(lines, entry);
  if (block === null) {
    const gap = text.trim() === '' || text.endsWith('\n') ? '' : eol;
    return `${text}${gap}${[`${entry.parent}:`, ...render(entry.name, value, '  ')].join(eol)}${eol}`;
  }
  const own = findEntry(lines, block, entry);
  if (own !== null && !/:\s*(\{\s*\}|null|~|)\s*(#.*)?$/.test(lines[own[0]]!)) throw cannotEdit(entry);
  const written = render(entry.name, value, block.indent);
  const [from, to] = own ?? [block.end, block.end];
  const current = lines.slice(from, to).map((line) => line.replace(/\r?\n$/, ''));
  if (own !== null && current.join('\n').trimEnd() === written.join('\n')) return text;
  const before = lines.slice(0, from);
  if (block.isEmpty) before[block.start] = `${entry.parent}:${eol}`;
  const last = before.at(-1);
  if (last !== undefined && !last.endsWith('\n')) before[before.length - 1] = `${last}${eol}`;
  return [...before, ...written.map((line) => `${line}${eol}`), ...lines.slice(to)].join('');
}

/** Only an entry that starts `ltm mcp`. `keepsParent`: the mapping itself was there before it. */
export function removeYamlEntry(text: string, entry: YamlEntry, keepsParent: boolean): string {
  const lines = splitLines(text, entry);
  const block = findBlock(lines, entry);
  const own = block === null ? null : findEntry(lines, block, entry);
  if (block === null || own === null || !isOurs(lines.slice(...own))) return text;
  const rest = [...lines.slice(0, own[0]), ...lines.slice(own[1])];
  const others = lines.slice(block.start + 1, block.end).filter(isContent).length - countContent(lines, own);
  if (others > 0) return rest.join('');
  const eol = lines[block.start]!.endsWith('\r\n') ? '\r\n' : '\n';
  rest.splice(block.start, 1, ...(keepsParent ? [`${entry.parent}: {}${eol}`] : []));
  return rest.join('');
}

interface Block {
  /** The line of its key. */
  start: number;
  /** Behind its last line. */
  end: number;
  indent: string;
  /** `{}`, `null` or nothing. */
  isEmpty: boolean;
}

function splitLines(text: string, entry: YamlEntry): string[] {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const hasSeveral = lines.filter((line, at) => /^(---|\.\.\.)(\s|$)/.test(line) && at > 0).length > 0;
  if (hasSeveral || lines.some((line) => /^\t/.test(line)) || !isMapping(lines)) throw cannotEdit(entry);
  return lines;
}

/** Whether every line that is not indented is a pair, or an item of the list that the pair before it holds. */
function isMapping(lines: readonly string[]): boolean {
  let mayList = false;
  for (const line of lines.map((one) => one.replace(/^\uFEFF/, '')).filter(isContent)) {
    if (/^(\s|---(\s|$)|%)/.test(line)) continue;
    if (mayList && /^-(\s|$)/.test(line)) continue;
    const pair = /^([^\s#,[\]{}&*!|>'"%@`?-][^:]*|"[^"]*"|'[^']*')\s*:(\s.*|)$/s.exec(line);
    if (pair === null) return false;
    mayList = /^\s*(#.*)?$/s.test(pair[2]!);
  }
  return true;
}

/** As set-up writes it, or Goose after it: its command or an argument is our program, and an argument is `mcp`. */
function isOurs(lines: readonly string[]): boolean {
  const said = lines.filter((line) => /^\s*(cmd:|args:|-)/.test(line));
  const words = said.flatMap((line) => line.split(/[\s,[\]"']+/));
  return isOwnEntry({ args: words });
}

function findBlock(lines: readonly string[], entry: YamlEntry): Block | null {
  const key = new RegExp(`^(["']?)${entry.parent}\\1\\s*:(.*)$`, 's');
  const start = lines.findIndex((line) => key.test(line.replace(/^\uFEFF/, '')));
  if (start < 0) return null;
  const value = key
    .exec(lines[start]!.replace(/^\uFEFF/, ''))![2]!
    .replace(/(^|\s)#.*$/s, '')
    .trim();
  if (!/^(\{\s*\}|null|~|)$/.test(value)) throw cannotEdit(entry);
  let end = start + 1;
  for (let at = start + 1; at < lines.length && (!isContent(lines[at]!) || /^\s/.test(lines[at]!)); at++)
    if (isContent(lines[at]!)) end = at + 1;
  const next = lines.slice(start + 1).find(isContent);
  if (next !== undefined && /^-(\s|$)/.test(next)) throw cannotEdit(entry);
  const first = lines.slice(start + 1, end).find(isContent);
  if (first !== undefined && (value !== '' || /^\s*(- |-$)/.test(first.trimEnd()))) throw cannotEdit(entry);
  return { start, end, indent: first === undefined ? '  ' : /^\s*/.exec(first)![0], isEmpty: first === undefined };
}

function findEntry(
  lines: readonly string[],
  { start, end, indent }: Block,
  { name }: YamlEntry,
): [number, number] | null {
  const from = lines.findIndex(
    (line, at) => at > start && at < end && new RegExp(`^${indent}(["']?)${name}\\1\\s*:`).test(line),
  );
  if (from < 0) return null;
  let to = from + 1;
  for (let at = from + 1; at < end && (!isContent(lines[at]!) || lines[at]!.startsWith(`${indent} `)); at++)
    if (isContent(lines[at]!)) to = at + 1;
  return [from, to];
}

function countContent(lines: readonly string[], [from, to]: [number, number]): number {
  return lines.slice(from, to).filter(isContent).length;
}

function isContent(line: string): boolean {
  return !/^\s*(#|$)/.test(line);
}

function render(name: string, value: Readonly<Record<string, Value>>, indent: string): string[] {
  const inner = indent.repeat(2);
  const pairs = Object.entries(value).flatMap(([key, one]) => {
    if (typeof one !== 'object') return [`${inner}${key}: ${scalar(one)}`];
    if (Array.isArray(one)) return [`${inner}${key}:`, ...one.map((item) => `${inner}- ${scalar(item)}`)];
    return [`${inner}${key}: ${JSON.stringify(one)}`];
  });
  return [`${indent}${name}:`, ...pairs];
}

/** Quoted unless it can be nothing but a word or a path. */
function scalar(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value);
  return /^(?!(true|false|yes|no|on|off|null)$)[A-Za-z/][\w./-]*$/i.test(value) ? value : JSON.stringify(value);
}

function cannotEdit({ file, parent, name }: YamlEntry): EngineError {
  return new EngineError('invalid_input', `${file} was left as it is: it is written in a form that cannot be edited.`, {
    hint: `Add "${name}" below "${parent}" by hand, as docs/connect.md shows it.`,
  });
}

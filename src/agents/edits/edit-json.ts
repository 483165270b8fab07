import { isDeepStrictEqual } from 'node:util';
import { EngineError } from '../../model/errors.ts';
import { endOfComment, type JsonMember, type JsonNode, parseJsonTree } from './json-tree.ts';

/** A text is edited where something changes; every other character of it stays. */
export interface JsonFile {
  text: string;
  /** As people know it, for errors. */
  name: string;
}

type Path = readonly (string | number)[];

/** The value at a path; undefined where there is none. */
export function readJsonAt(file: JsonFile, path: Path): unknown {
  return isBlank(file.text) ? undefined : findNode(parseJsonTree(file.text, file.name), path)?.value;
}

/** Makes the objects on the way that are missing. Says nothing twice: an equal value is left as it is written. */
export function setJsonAt(file: JsonFile, path: Path, value: unknown): JsonFile {
  if (isBlank(file.text)) return { ...file, text: newDocument(file.text, nest(path, value)) };
  const root = parseRoot(file);
  const found = findNode(root, path);
  if (found !== undefined) {
    if (isDeepStrictEqual(found.value, value)) return file;
    const text = formatValue(value, { file, root, at: found.start, isInline: isInline(file.text, root) });
    return { ...file, text: splice(file.text, found.start, found.end, text) };
  }
  const depth = deepest(root, path);
  const parent = findNode(root, path.slice(0, depth))!;
  const rest = path.slice(depth + 1);
  const wrong = findNode(parent, path.slice(depth, depth + 1));
  if (Array.isArray(parent.value) || (wrong !== undefined && wrong.value !== null))
    throw wrongShape(file, path.slice(0, depth + (Array.isArray(parent.value) ? 0 : 1)), 'object');
  if (wrong !== undefined) return setJsonAt(file, path.slice(0, depth + 1), nest(rest, value));
  return { ...file, text: insertMember(file, { root, parent, key: String(path[depth]), value: nest(rest, value) }) };
}

/** Behind the last item of the array at the path, which is made where it is missing. */
export function appendJsonAt(file: JsonFile, path: Path, value: unknown): JsonFile {
  const root = isBlank(file.text) ? undefined : parseRoot(file);
  const parent = root && findNode(root, path);
  if (root === undefined || parent === undefined || parent.value === null) return setJsonAt(file, path, [value]);
  if (!Array.isArray(parent.value)) throw wrongShape(file, path, 'list');
  return { ...file, text: insertMember(file, { root, parent, key: null, value }) };
}

/** Nothing happens where there is nothing. */
export function removeJsonAt(file: JsonFile, path: Path): JsonFile {
  if (isBlank(file.text)) return file;
  const parent = findNode(parseJsonTree(file.text, file.name), path.slice(0, -1));
  const at = parent === undefined ? -1 : memberAt(parent, path.at(-1)!);
  return at < 0 ? file : { ...file, text: cutMember(file.text, parent!.members!, at) };
}

/** What is edited is an object as a whole. */
function parseRoot(file: JsonFile): JsonNode {
  const root = parseJsonTree(file.text, file.name);
  if (root.members === null || Array.isArray(root.value)) throw wrongShape(file, [], 'object');
  return root;
}

/** Of what stands where an object or a list of ours would have to go. */
export function wrongShape({ name }: JsonFile, path: Path, expected: 'object' | 'list'): EngineError {
  const what = path.length === 0 ? name : `"${path.join('.')}" in ${name}`;
  return new EngineError('invalid_input', `${what} is not a JSON ${expected}. It was left as it is.`, {
    hint: `Make it ${expected === 'object' ? 'an object' : 'a list'} or take it out, then run the command again.`,
  });
}

function isBlank(text: string): boolean {
  return /^[\s\uFEFF]*$/.test(text);
}

function newDocument(text: string, value: unknown): string {
  const bom = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  return `${bom}${JSON.stringify(value, null, 2)}\n`;
}

function nest(path: Path, value: unknown): unknown {
  return path.reduceRight((inner, key) => ({ [key]: inner }), value);
}

function memberAt({ members }: JsonNode, key: string | number): number {
  if (members === null) return -1;
  // Of two equal keys the last one counts.
  return typeof key === 'number' ? (key < members.length ? key : -1) : members.findLastIndex((one) => one.key === key);
}

function findNode(root: JsonNode, path: Path): JsonNode | undefined {
  let node: JsonNode | undefined = root;
  for (const key of path) node = node?.members?.[memberAt(node, key)]?.node;
  return node;
}

/** How many steps of the path lead to an object or array that is there. */
function deepest(root: JsonNode, path: Path): number {
  let depth = 0;
  while (depth < path.length - 1 && findNode(root, path.slice(0, depth + 1))?.members) depth += 1;
  return depth;
}

interface Insertion {
  root: JsonNode;
  parent: JsonNode;
  key: string | null;
  value: unknown;
}

function insertMember(file: JsonFile, { root, parent, key, value }: Insertion): string {
  const { text } = file;
  const eol = lineEnd(text);
  const named = (inner: string): string => (key === null ? inner : `${JSON.stringify(key)}: ${inner}`);
  const last = parent.members!.at(-1);
  const inline = isInline(text, root) || (last !== undefined && !startsLine(text, last.start));
  if (inline) {
    const compact = named(JSON.stringify(value));
    if (last === undefined) return splice(text, parent.end - 1, parent.end - 1, compact);
    const at = last.comma === null ? last.node.end : last.comma + 1;
    return splice(text, at, at, `${last.comma === null ? ',' : ''} ${compact}${last.comma === null ? '' : ','}`);
  }
  const unit = indentUnit(text, root);
  const indent = last === undefined ? `${indentOf(text, parent.start)}${unit}` : indentOf(text, last.start);
  const written = named(indentLines(JSON.stringify(value, null, unit), indent, eol));
  if (last === undefined) {
    const inner = text.slice(parent.start + 1, parent.end - 1).trimEnd();
    const closing = `${eol}${indentOf(text, parent.start)}`;
    return splice(text, parent.start + 1 + inner.length, parent.end - 1, `${eol}${indent}${written}${closing}`);
  }
  const at = endOfLineComments(text, last.comma === null ? last.node.end : last.comma + 1);
  const inserted = splice(text, at, at, `${eol}${indent}${written}${last.comma === null ? '' : ','}`);
  return last.comma === null ? splice(inserted, last.node.end, last.node.end, ',') : inserted;
}

/** What is said behind a value on its line belongs to it and stays there. */
function endOfLineComments(text: string, at: number): number {
  let end = at;
  for (;;) {
    const next = end + /^[ \t]*/.exec(text.slice(end))![0].length;
    const comment = endOfComment(text, next);
    if (comment === null) return end;
    end = comment;
  }
}

function cutMember(text: string, members: readonly JsonMember[], at: number): string {
  const { start, node, comma } = members[at]!;
  const before = members[at - 1];
  const end = comma === null ? node.end : comma + 1;
  const isLast = at === members.length - 1;
  const lineStart = startsLine(text, start) && /^[ \t]*(\r\n|\r|\n|$)/.test(text.slice(end));
  const from = lineStart
    ? text.slice(0, start).replace(/(\r\n|\r|\n)[ \t]*$/, '').length
    : start - (isLast ? /\s*$/.exec(text.slice(0, start))![0].length : 0);
  const to = lineStart || isLast ? end : end + /^[ \t]*/.exec(text.slice(end))![0].length;
  const cut = splice(text, from, to, '');
  // Where none stood at the end, none may stand there now.
  return isLast && comma === null && before?.comma != null ? splice(cut, before.comma, before.comma + 1, '') : cut;
}

function formatValue(
  value: unknown,
  { file, root, at, isInline: inline }: { file: JsonFile; root: JsonNode; at: number; isInline: boolean },
): string {
  if (inline) return JSON.stringify(value);
  const { text } = file;
  return indentLines(JSON.stringify(value, null, indentUnit(text, root)), indentOf(text, at), lineEnd(text));
}

function isInline(text: string, root: JsonNode): boolean {
  return root.members?.length !== 0 && !/[\r\n]/.test(text.slice(root.start, root.end));
}

function indentLines(text: string, indent: string, eol: string): string {
  return text.replaceAll('\n', `${eol}${indent}`);
}

/** What stands in front of the first thing on the line. */
function indentOf(text: string, at: number): string {
  const line = text.slice(text.slice(0, at).search(/[^\r\n]*$/), at);
  return /^\uFEFF?([ \t]*)/.exec(line)![1]!;
}

function startsLine(text: string, at: number): boolean {
  return /(^|[\r\n])\uFEFF?[ \t]*$/.test(text.slice(0, at));
}

function indentUnit(text: string, root: JsonNode): string {
  const first = root.members?.[0];
  const indent = first !== undefined && startsLine(text, first.start) ? indentOf(text, first.start) : '';
  return indent === '' ? '  ' : indent;
}

function lineEnd(text: string): string {
  return /\r\n|\n/.exec(text)?.[0] ?? '\n';
}

function splice(text: string, from: number, to: number, piece: string): string {
  return text.slice(0, from) + piece + text.slice(to);
}

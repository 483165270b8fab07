import { EngineError } from '../../model/errors.ts';

/** A value of a JSON text and where it stands in it. Comments and trailing commas are allowed, as editors allow them. */
export interface JsonNode {
  start: number;
  /** Behind its last character. */
  end: number;
  value: unknown;
  /** Those of an object or an array, in the order of the text. */
  members: readonly JsonMember[] | null;
}

export interface JsonMember {
  /** null in an array. */
  key: string | null;
  /** Where the key begins, or the value in an array. */
  start: number;
  node: JsonNode;
  /** Where the comma behind it stands; null: there is none. */
  comma: number | null;
}

const SPACE = /[\s\uFEFF]/;
/** No agent nests its settings so deep. */
const MAX_DEPTH = 500;
const ATOM = /[^\s,:{}[\]"/]+/y;

/** Of the whole text; `name` says whose it is where it is no JSON. */
export function parseJsonTree(text: string, name: string): JsonNode {
  const reader = { text, at: 0, depth: 0, name };
  skipBlanks(reader);
  const root = readValue(reader);
  skipBlanks(reader);
  if (reader.at < text.length) throw unexpected(reader);
  return root;
}

interface Reader {
  text: string;
  at: number;
  depth: number;
  name: string;
}

function readValue(reader: Reader): JsonNode {
  const { text, at: start } = reader;
  const opening = text[start];
  if (opening === '{') return readMembers(reader, '}');
  if (opening === '[') return readMembers(reader, ']');
  if (opening === '"') return { start, value: readString(reader), end: reader.at, members: null };
  ATOM.lastIndex = start;
  const [atom] = ATOM.exec(text) ?? [];
  if (atom === undefined) throw unexpected(reader);
  const value = parseAtom(reader, atom);
  reader.at += atom.length;
  return { start, end: reader.at, value, members: null };
}

function readMembers(reader: Reader, closing: '}' | ']'): JsonNode {
  const start = reader.at++;
  if (++reader.depth > MAX_DEPTH)
    throw new EngineError('invalid_input', `${reader.name} is nested too deeply. It was left as it is.`, {
      hint: 'Correct the file, then run the command again.',
    });
  const members: JsonMember[] = [];
  for (;;) {
    skipBlanks(reader);
    if (reader.text[reader.at] === closing) break;
    if (members.length > 0 && members.at(-1)!.comma === null) throw unexpected(reader);
    members.push(readMember(reader, closing === '}'));
  }
  reader.at += 1;
  reader.depth -= 1;
  const value =
    closing === ']'
      ? members.map(({ node }) => node.value)
      : Object.fromEntries(members.map(({ key, node }) => [key, node.value]));
  return { start, end: reader.at, value, members };
}

function readMember(reader: Reader, hasKey: boolean): JsonMember {
  const start = reader.at;
  const key = hasKey ? readKey(reader) : null;
  const node = readValue(reader);
  skipBlanks(reader);
  const comma = reader.text[reader.at] === ',' ? reader.at++ : null;
  return { key, start, node, comma };
}

function readKey(reader: Reader): string {
  if (reader.text[reader.at] !== '"') throw unexpected(reader);
  const key = readString(reader);
  skipBlanks(reader);
  if (reader.text[reader.at] !== ':') throw unexpected(reader);
  reader.at += 1;
  skipBlanks(reader);
  return key;
}

function readString(reader: Reader): string {
  const { text, at: start } = reader;
  let end = start + 1;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  if (end >= text.length) throw unexpected(reader);
  reader.at = end + 1;
  return parseAtom({ ...reader, at: start }, text.slice(start, end + 1)) as string;
}

function parseAtom(reader: Reader, atom: string): unknown {
  try {
    return JSON.parse(atom);
  } catch {
    throw unexpected(reader);
  }
}

function skipBlanks(reader: Reader): void {
  const { text } = reader;
  for (;;) {
    while (reader.at < text.length && SPACE.test(text[reader.at]!)) reader.at += 1;
    const end = endOfComment(text, reader.at);
    if (end === null) return;
    if (end > text.length) throw unexpected(reader);
    reader.at = end;
  }
}

/** null where no comment begins; past the end of the text where one is never closed. */
export function endOfComment(text: string, at: number): number | null {
  if (text.startsWith('//', at)) {
    const end = /[\r\n]/.exec(text.slice(at));
    return end === null ? text.length : at + end.index;
  }
  if (!text.startsWith('/*', at)) return null;
  const end = text.indexOf('*/', at + 2);
  return end < 0 ? text.length + 1 : end + 2;
}

function unexpected({ text, at, name }: Reader): EngineError {
  const before = text.slice(0, at).split(/\r\n|\r|\n/);
  const line = before.length;
  const place = `line ${line}, column ${before.at(-1)!.length + 1}`;
  return new EngineError('invalid_input', `${name} is not valid JSON: ${place}. It was left as it is.`, {
    hint: 'Correct the file, then run the command again.',
    details: { line },
  });
}

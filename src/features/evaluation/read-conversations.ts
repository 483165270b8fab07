import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { EngineError } from '../../model/errors.ts';
import { isObject } from '../../model/json-text.ts';

/** One item becomes one memory. */
export interface Item {
  id: string;
  text: string;
  session: string;
}

export interface Question {
  text: string;
  /** Ids of the items that answer it; none: nothing does. */
  gold: readonly string[];
  category: string;
}

/** What is searched together, in the order in which it was said. */
export interface Conversation {
  name: string;
  items: readonly Item[];
  questions: readonly Question[];
}

/** Compressed or not: the first two bytes say it, whatever the file is called. */
export async function readEvaluationFile(path: string): Promise<ReadConversations> {
  const bytes = await readBytes(path);
  const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return readConversations((isCompressed ? await unpack(bytes, path) : bytes).toString('utf8'), basename(path));
}

async function readBytes(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const options = { cause, details: { file: path } };
    if (code === 'ENOENT') throw new EngineError('not_found', `There is no file ${path}.`, options);
    if (code === 'EISDIR') throw new EngineError('invalid_input', `${path} is a folder.`, options);
    throw new EngineError('invalid_input', `${path} cannot be read: ${code ?? String(cause)}.`, options);
  }
}

async function unpack(bytes: Buffer, path: string): Promise<Buffer> {
  try {
    return await promisify(gunzip)(bytes);
  } catch (cause) {
    throw new EngineError('invalid_input', `${path} looks compressed, but cannot be decompressed.`, {
      cause,
      details: { file: path },
    });
  }
}

const MAX_NAME_CHARS = 200;

type Fields = Readonly<Record<string, unknown>>;

/** Where in the file the reader is, for messages. */
interface Place {
  file: string;
  conversation: string;
}

export interface ReadConversations {
  conversations: Conversation[];
  /** What is odd but stops nothing. */
  notices: string[];
}

/** Reads `[{ conv, names, items: [{ id, text, s }], questions: [{ q, gold, cat }] }]`; a fault names the conversation and the field. */
export function readConversations(json: string, file: string): ReadConversations {
  const list = parseJson(json, file);
  if (!Array.isArray(list)) throw wrong(file, 'must be a JSON array of conversations');
  if (list.length === 0) throw wrong(file, 'contains no conversation');
  const conversations = list.map((entry, i) => readConversation(entry, i, file));
  if (conversations.every(({ questions }) => questions.length === 0)) throw wrong(file, 'contains no question');
  return { conversations, notices: conversations.flatMap((one) => findOddities(one, file)) };
}

function parseJson(json: string, file: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw wrong(file, `is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

function readConversation(entry: unknown, index: number, file: string): Conversation {
  const number = `conversation ${index + 1}`;
  const fields = readObject(entry, { file, conversation: number }, '');
  const name = readName(fields.conv, { file, conversation: number }, 'conv');
  const place = { file, conversation: `${number} ("${name}")` };
  if (fields.names !== undefined)
    for (const one of readList(fields.names, place, 'names')) readText(one, place, 'names');
  return {
    name: name.trim().slice(0, MAX_NAME_CHARS),
    items: readList(fields.items, place, 'items').map((item, i) => readItem(item, place, `items[${i}]`)),
    questions: readList(fields.questions, place, 'questions').map((question, i) =>
      readQuestion(question, place, `questions[${i}]`),
    ),
  };
}

function readItem(value: unknown, place: Place, at: string): Item {
  const { id, text, s } = readObject(value, place, at);
  const session = s === undefined ? '1' : readName(s, place, `${at}.s`);
  return {
    id: readName(id, place, `${at}.id`),
    text: readText(text, place, `${at}.text`),
    session: session.slice(0, MAX_NAME_CHARS),
  };
}

function readQuestion(value: unknown, place: Place, at: string): Question {
  const { q, gold, cat } = readObject(value, place, at);
  const text = readText(q, place, `${at}.q`);
  if (text.trim() === '') throw fault(place, `${at}.q`, 'is empty');
  const ids = readList(gold, place, `${at}.gold`).map((id) => readName(id, place, `${at}.gold`));
  return { text, gold: [...new Set(ids)], category: cat === undefined ? 'all' : readName(cat, place, `${at}.cat`) };
}

/** Files written by other programs: gold that points nowhere lowers every system alike, so it is counted and named, not refused. */
function findOddities({ name, items, questions }: Conversation, file: string): string[] {
  const ids = new Set(items.map((item) => item.id));
  const strays = questions.flatMap((question) => question.gold).filter((id) => !ids.has(id)).length;
  const empty = items.filter((item) => item.text.trim() === '').length;
  const notices: string[] = [];
  if (strays > 0) notices.push(`${file}, ${name}: ${strays} gold ids are not among the items and count as not found.`);
  if (ids.size < items.length)
    notices.push(`${file}, ${name}: ${items.length - ids.size} item ids are used twice; any of their items counts.`);
  if (empty > 0) notices.push(`${file}, ${name}: ${empty} items without text are left out.`);
  return notices;
}

function readObject(value: unknown, place: Place, field: string): Fields {
  if (!isObject(value)) throw fault(place, field, 'must be an object');
  return value as Fields;
}

function readList(value: unknown, place: Place, field: string): readonly unknown[] {
  if (!Array.isArray(value))
    throw fault(place, field, value === undefined ? 'is missing; it must be a list' : 'must be a list');
  return value;
}

/** NUL and halves of surrogate pairs cannot be stored. */
function readText(value: unknown, place: Place, field: string): string {
  if (typeof value !== 'string')
    throw fault(place, field, value === undefined ? 'is missing; it must be a text' : 'must be a text');
  return value.toWellFormed().replaceAll('\0', ' ');
}

/** A text, or a number as its digits. */
function readName(value: unknown, place: Place, field: string): string {
  const name = typeof value === 'number' ? String(value) : readText(value, place, field);
  if (name.trim() === '') throw fault(place, field, 'is empty');
  return name;
}

function fault({ file, conversation }: Place, field: string, what: string): EngineError {
  return new EngineError('invalid_input', `${file}: ${conversation}${field === '' ? '' : `, ${field}`} ${what}.`, {
    hint: FORM,
    details: { file, conversation, ...(field === '' ? {} : { field }) },
  });
}

function wrong(file: string, what: string): EngineError {
  return new EngineError('invalid_input', `${file} ${what}.`, { hint: FORM, details: { file } });
}

const FORM =
  'The form is [{"conv": "…", "names": ["…"], "items": [{"id": "…", "text": "…", "s": 1}], "questions": [{"q": "…", "gold": ["id"], "cat": "…"}]}].';

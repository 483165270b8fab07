import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readForeignTime } from '../../../model/read-exact-time.ts';
import { asRow, type Imported, type Importer, textOr } from './imported.ts';

type Row = Readonly<Record<string, unknown>>;

/** The data export of ChatGPT: each thing that was said is a memory of its conversation. */
export const chatgpt: Importer = {
  name: 'chatgpt',
  about: 'a ChatGPT data export: conversations.json, or its unzipped folder',
  recognise: ({ path, isFolder, head }) => {
    const start = isFolder ? headOf(join(path, 'conversations.json')) : head;
    return /^\s*\[/.test(start) && /"mapping"\s*:/.test(start);
  },
  *read({ path, isFolder }) {
    for (const conversation of listIn(isFolder ? join(path, 'conversations.json') : path))
      yield* readMapping(conversation);
  },
};

function* readMapping(conversation: Row): Generator<Imported> {
  const id = textOr(conversation.conversation_id, null) ?? textOr(conversation.id, 'unknown');
  const title = textOr(conversation.title, null);
  const said = Object.values(asRow(conversation.mapping))
    .map((node) => asRow(asRow(node).message))
    .filter(({ content }) => content !== undefined)
    .sort((a, b) => (readForeignTime(a.create_time) ?? 0) - (readForeignTime(b.create_time) ?? 0));
  for (const message of said) {
    const role = String(asRow(message.author).role ?? '');
    const { parts } = asRow(message.content);
    const text = (Array.isArray(parts) ? parts : [])
      .filter((part) => typeof part === 'string')
      .join('\n')
      .trim();
    if ((role !== 'user' && role !== 'assistant') || text === '') continue;
    yield turn({
      id: String(message.id),
      by: role === 'user' ? 'user' : 'ChatGPT',
      text,
      conversation: id,
      title,
      at: readForeignTime(message.create_time) ?? readForeignTime(conversation.create_time),
    });
  }
}

/** The data export of Claude: conversations, and what Claude remembers of them. */
export const claudeChats: Importer = {
  name: 'claude',
  about: 'a Claude data export: conversations.json, or its unzipped folder with memories.json',
  recognise: ({ path, isFolder, head }) => {
    const start = isFolder ? headOf(join(path, 'conversations.json')) : head;
    return /^\s*\[/.test(start) && /"chat_messages"\s*:/.test(start);
  },
  *read({ path, isFolder }) {
    for (const conversation of listIn(isFolder ? join(path, 'conversations.json') : path))
      yield* readChat(conversation);
    const memories = join(path, 'memories.json');
    if (isFolder && existsSync(memories)) for (const one of listIn(memories)) yield* readMemories(one);
  },
};

function* readChat(conversation: Row): Generator<Imported> {
  const id = textOr(conversation.uuid, 'unknown');
  const title = textOr(conversation.name, null);
  for (const message of listOfRows(conversation.chat_messages)) {
    const blocks = listOfRows(message.content)
      .filter(({ type }) => type === 'text')
      .map((block) => textOr(block.text, ''));
    const text = (blocks.join('\n').trim() || textOr(message.text, '')).trim();
    if (text === '') continue;
    yield turn({
      id: textOr(message.uuid, `${id}/${text.slice(0, 80)}`),
      by: message.sender === 'human' ? 'user' : 'Claude',
      text,
      conversation: id,
      title,
      at: readForeignTime(message.created_at),
    });
  }
}

function* readMemories(one: Row): Generator<Imported> {
  const whole = textOr(one.conversations_memory, null);
  if (whole !== null)
    yield {
      memory: { id: 'conversations_memory', content: whole, type: 'note', tags: ['claude-memory'], createdAt: null },
    };
  for (const [project, text] of Object.entries(asRow(one.project_memories)))
    if (typeof text === 'string' && text.trim() !== '')
      yield {
        memory: {
          id: `project_memories/${project}`,
          content: text,
          type: 'note',
          tags: ['claude-memory'],
          createdAt: null,
        },
      };
}

function turn(said: {
  id: string;
  by: string;
  text: string;
  conversation: string;
  title: string | null;
  at: number | null;
}): Imported {
  return {
    memory: {
      id: said.id,
      content: said.text,
      type: 'conversation_turn',
      title: said.title,
      conversation: said.conversation,
      author: said.by,
      createdAt: said.at,
    },
  };
}

function listIn(path: string): Row[] {
  return listOfRows(JSON.parse(readFileSync(path, 'utf8')));
}

function listOfRows(value: unknown): Row[] {
  return Array.isArray(value) ? value.map(asRow) : [];
}

function headOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8').slice(0, 100_000) : '';
}

import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { readAgentTime } from '../../model/read-exact-time.ts';
import type { AgentTranscripts } from '../agent.ts';
import { asFields, asText, type Said, type Transcript, textOfBlocks } from '../agent-transcript.ts';
import { cleanSaid } from '../clean-said.ts';
import { listFiles } from '../list-files.ts';
import { readJsonLines } from '../read-json-lines.ts';

/** JSON lines, of which `$set` replaces what stood before; or one JSON file, as earlier versions wrote it. */
async function readGemini(path: string, directory: string | null): Promise<Transcript> {
  const said = new Map<string, Said>();
  let session = basename(path).replace(/\.jsonl?$/, '');
  let unreadable = 0;
  const take = (line: Readonly<Record<string, unknown>>): void => {
    session = asText(line.sessionId) ?? session;
    const { messages } = line.$set === undefined ? line : asFields(line.$set);
    if (Array.isArray(messages)) {
      said.clear();
      for (const message of messages) addMessage(said, asFields(message));
    } else addMessage(said, line);
  };
  if (path.endsWith('.json')) take(asFields(JSON.parse(await readFile(path, 'utf8'))));
  else
    for await (const line of readJsonLines(path)) {
      if (line === null) unreadable++;
      else take(line);
    }
  return { agent: 'gemini', session, directory, said: [...said.values()], unreadable };
}

function addMessage(said: Map<string, Said>, message: Readonly<Record<string, unknown>>): void {
  const one = readGeminiMessage(message);
  if (one !== null) said.set(one.id, one);
  else if (typeof message.id === 'string') said.delete(message.id);
}

export function readGeminiMessage(message: Readonly<Record<string, unknown>>): Said | null {
  const { id, type } = message;
  if (typeof id !== 'string' || (type !== 'user' && type !== 'gemini')) return null;
  const text = cleanSaid(textOfBlocks(message.content, ['text']));
  return text === ''
    ? null
    : { id, by: type === 'user' ? 'user' : 'agent', text, at: readAgentTime(message.timestamp) };
}

/** Gemini names a folder after the project, and says in a file of its own which directory that is. */
async function geminiDirectory(path: string): Promise<string | null> {
  const project = dirname(dirname(path));
  const names = join(dirname(dirname(project)), 'projects.json');
  const text = await readFile(names, 'utf8').catch(() => null);
  if (text === null) return null;
  const { projects } = asFields(JSON.parse(text));
  const [directory] = Object.entries(asFields(projects)).find(([, name]) => name === basename(project)) ?? [];
  return directory ?? null;
}

export const geminiTranscripts: AgentTranscripts = {
  list: ({ gemini }) => listFiles(join(gemini, 'tmp'), { agent: 'gemini', name: /^session-.*\.jsonl?$/, depth: 2 }),
  read: async ({ path }) => readGemini(path, await geminiDirectory(path)),
  readDirectory: ({ path }) => geminiDirectory(path),
  isWrittenLike: (head) => /"projectHash"|"type":\s*"gemini"/.test(head),
};

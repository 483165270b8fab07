import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { readAgentTime } from '../../model/read-exact-time.ts';
import { asFields, asText, type Said, type Transcript, textOfBlocks } from '../agent-transcript.ts';
import { cleanSaid } from '../clean-said.ts';
import { readJsonLines } from '../read-json-lines.ts';

/** JSON lines, of which `$set` replaces what stood before; or one JSON file, as earlier versions wrote it. */
export async function readGemini(path: string, directory: string | null): Promise<Transcript> {
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

import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { sha256Of } from '../../model/sha256.ts';
import type { AgentTranscripts } from '../agent.ts';
import type { Said, Transcript } from '../agent-transcript.ts';
import { cleanSaid } from '../clean-said.ts';

const SPEAKER = /^\*\*(User|Cursor)\*\*[ \t]*$/m;

/** A conversation that Cursor has exported as Markdown; null for Markdown that is none. */
async function readCursorExport(path: string): Promise<Transcript | null> {
  const text = (await readFile(path, 'utf8')).replaceAll('\r\n', '\n');
  const [, ...parts] = text.split(SPEAKER);
  if (parts.length < 2) return null;
  const said: Said[] = [];
  for (let i = 0; i + 1 < parts.length; i += 2) {
    const words = cleanSaid(parts[i + 1]!.replace(/\n---\s*$/, ''));
    const id = sha256Of(`${i}\n${words}`).slice(0, 16);
    if (words !== '') said.push({ id, by: parts[i] === 'User' ? 'user' : 'agent', text: words, at: null });
  }
  return { agent: 'cursor', session: basename(path).replace(/\.md$/i, ''), directory: null, said, unreadable: 0 };
}

export const cursorTranscripts: AgentTranscripts = {
  read: ({ path }) => readCursorExport(path),
  readDirectory: async () => null,
};

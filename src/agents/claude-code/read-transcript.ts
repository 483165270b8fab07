import { basename, join } from 'node:path';
import { readAgentTime } from '../../model/read-exact-time.ts';
import type { AgentTranscripts } from '../agent.ts';
import { asFields, asText, type Said, type Transcript, textOfBlocks } from '../agent-transcript.ts';
import { cleanSaid } from '../clean-said.ts';
import { listFiles } from '../list-files.ts';
import { readJsonLines } from '../read-json-lines.ts';

/** A model's message is one line per block, and a line may be written again: one entry per line's own id. */
async function readClaudeCode(path: string): Promise<Transcript> {
  const said = new Map<string, Said>();
  let session = basename(path).replace(/\.jsonl$/, '');
  let directory: string | null = null;
  let unreadable = 0;
  let at = 0;
  for await (const line of readJsonLines(path)) {
    at += 1;
    if (line === null) unreadable++;
    else {
      session = asText(line.sessionId) ?? session;
      directory ??= asText(line.cwd);
      const one = readClaudeLine({ uuid: `line ${at}`, ...line });
      if (one !== null) said.set(one.id, one);
    }
  }
  return { agent: 'claude-code', session, directory, said: [...said.values()], unreadable };
}

/** What one line says, without what is around it. */
export function readClaudeLine(line: Readonly<Record<string, unknown>>): Said | null {
  const { type, uuid } = line;
  if ((type !== 'user' && type !== 'assistant') || typeof uuid !== 'string') return null;
  // of sub-agents, of the program itself, and summaries of what stands above
  if (line.isSidechain === true || line.isMeta === true || line.isCompactSummary === true) return null;
  const text = cleanSaid(textOfBlocks(asFields(line.message).content, ['text']));
  return text === ''
    ? null
    : { id: uuid, by: type === 'user' ? 'user' : 'agent', text, at: readAgentTime(line.timestamp) };
}

export const claudeCodeTranscripts: AgentTranscripts = {
  // Those of sub-agents lie one folder deeper.
  list: ({ claude }) => listFiles(join(claude, 'projects'), { agent: 'claude-code', name: /\.jsonl$/, depth: 1 }),
  read: ({ path }) => readClaudeCode(path),
  isWrittenLike: (head) => /"sessionId"|"parentUuid"|"type":\s*"(?:user|assistant)"/.test(head),
};

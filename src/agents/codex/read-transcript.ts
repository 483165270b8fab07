import { basename, join } from 'node:path';
import { readAgentTime } from '../../model/read-exact-time.ts';
import type { AgentTranscripts } from '../agent.ts';
import { asFields, asText, type Said, type Transcript, textOfBlocks } from '../agent-transcript.ts';
import { cleanSaid } from '../clean-said.ts';
import { listFiles } from '../list-files.ts';
import { readJsonLines } from '../read-json-lines.ts';

/** What was said stands in `response_item`; events repeat it. */
async function readCodex(path: string): Promise<Transcript> {
  const said = new Map<string, Said>();
  let session = basename(path).replace(/^rollout-\d{4}(?:-\d\d){2}T(?:\d\d-){3}|\.jsonl(\.zst)?$/g, '');
  let directory: string | null = null;
  let unreadable = 0;
  let place = 0;
  for await (const line of readJsonLines(path)) {
    place++;
    if (line === null) {
      unreadable++;
      continue;
    }
    const payload = asFields(line.payload);
    if (line.type === 'session_meta') {
      session = asText(payload.id) ?? session;
      directory = asText(payload.cwd);
    } else {
      const one = readCodexLine(line, `${session}:${place}`);
      if (one !== null) said.set(one.id, one);
    }
  }
  return { agent: 'codex', session, directory, said: [...said.values()], unreadable };
}

/** What one line says; `place` names it where it has no id. */
export function readCodexLine(line: Readonly<Record<string, unknown>>, place: string): Said | null {
  const payload = asFields(line.payload);
  if (line.type !== 'response_item' || payload.type !== 'message') return null;
  return readMessage(payload, { place, at: readAgentTime(line.timestamp) });
}

/** How a message says that a person typed it, where it says so at all. */
const TYPED = 'user.text';

function readMessage(
  payload: Readonly<Record<string, unknown>>,
  { place, at }: { place: string; at: number | null },
): Said | null {
  const { role } = payload;
  if (role !== 'user' && role !== 'assistant') return null;
  const { content_item_kinds: kinds } = asFields(payload.internal_chat_message_metadata_passthrough);
  if (role === 'user' && Array.isArray(kinds) && !kinds.includes(TYPED)) return null;
  const text = cleanSaid(textOfBlocks(payload.content, ['input_text', 'output_text', 'text']));
  if (text === '') return null;
  return { id: asText(payload.id) ?? place, by: role === 'user' ? 'user' : 'agent', text, at };
}

const ROLLOUT = /^rollout-.*\.jsonl(?:\.zst)?$/;

export const codexTranscripts: AgentTranscripts = {
  list: async ({ codex }) => [
    ...(await listFiles(join(codex, 'sessions'), { agent: 'codex', name: ROLLOUT, depth: 3 })),
    ...(await listFiles(join(codex, 'archived_sessions'), { agent: 'codex', name: ROLLOUT, depth: 3 })),
  ],
  read: ({ path }) => readCodex(path),
  fileName: ROLLOUT,
  isWrittenLike: (head) => /"type":\s*"(?:session_meta|response_item)"/.test(head),
};

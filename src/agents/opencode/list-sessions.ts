import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { lateFunctions } from '../../model/late.ts';
import type { AgentTranscripts } from '../agent.ts';
import type { TranscriptFile } from '../agent-transcript.ts';

const { listOpenCodeSessions, readOpenCode } = lateFunctions(
  () => import('./read-sessions.ts'),
  'listOpenCodeSessions',
  'readOpenCode',
);

/** The sessions in a database of OpenCode, which is loaded when there is one. */
export async function listSessions(path: string): Promise<TranscriptFile[]> {
  return listOpenCodeSessions(path);
}

export const opencodeTranscripts: AgentTranscripts = {
  async list({ opencode }) {
    const path = join(opencode, 'opencode.db');
    return (await stat(path).catch(() => null)) === null ? [] : listSessions(path);
  },
  read,
  readDirectory: async (file) => (await read(file)).directory,
};

async function read({ path, session }: TranscriptFile) {
  return readOpenCode(path, session!);
}

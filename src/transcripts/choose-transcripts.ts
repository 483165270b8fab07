import { type AgentFolders, findTranscripts, readDirectory } from './find-transcripts.ts';
import { TRANSCRIPT_AGENTS, type TranscriptAgent, type TranscriptFile } from './transcript.ts';

export interface Choice {
  agents?: readonly TranscriptAgent[];
  /** How many, the newest first. */
  limit: number;
  /** Only sessions with one of these ids, or parts of them, in their names; as many as there are. */
  sessions?: readonly string[];
  /** Whether the work in a directory is what is asked about; absent: all of it is. */
  isWanted?(directory: string): boolean;
}

interface Chosen {
  files: TranscriptFile[];
  /** How many there are in all. */
  total: number;
  problems: readonly string[];
}

export async function chooseTranscripts(folders: AgentFolders, choice: Choice): Promise<Chosen> {
  const { agents = TRANSCRIPT_AGENTS, limit, sessions = [], isWanted } = choice;
  const { files: all, problems } = await findTranscripts(folders, agents);
  const told = { total: all.length, problems };
  if (sessions.length > 0) {
    const files = all.filter(({ path, session }) => sessions.some((id) => (session ?? path).includes(id)));
    return { files, ...told };
  }
  if (isWanted === undefined) return { files: all.slice(0, limit), ...told };
  const files: TranscriptFile[] = [];
  for (const file of all) {
    if (files.length === limit) break;
    const directory = await readDirectory(file);
    if (directory !== null && isWanted(directory)) files.push(file);
  }
  return { files, ...told };
}

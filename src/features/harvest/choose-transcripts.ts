import { dirname } from 'node:path';
import { TRANSCRIPT_AGENTS, type TranscriptAgent, type TranscriptFile } from '../../agents/agent-transcript.ts';
import { findTranscripts, listTranscriptsIn, readDirectory } from '../../agents/find-transcripts.ts';
import type { AgentFolders } from '../../agents/transcript-folders.ts';
import type { NamedProject } from './name-project.ts';

export interface Choice {
  agents?: readonly TranscriptAgent[];
  /** How many, the newest first. */
  limit: number;
  /** Only sessions with one of these ids, or parts of them, in their names; as many as there are. */
  sessions?: readonly string[];
  /** null: all projects. */
  project: NamedProject | null;
}

interface Chosen {
  files: TranscriptFile[];
  /** How many there are in all. */
  total: number;
  problems: readonly string[];
}

export async function chooseTranscripts(folders: AgentFolders, choice: Choice): Promise<Chosen> {
  const { agents = TRANSCRIPT_AGENTS, limit, sessions = [], project } = choice;
  const { files: found, problems } = await findTranscripts(folders, agents);
  const all = project === null || !agents.includes('claude-code') ? found : await withPlaces(found, project.places);
  const told = { total: all.length, problems };
  const named = sessions.length === 0 ? all : all.filter((file) => sessions.some((id) => isSession(file, id)));
  const most = sessions.length === 0 ? limit : named.length;
  const files: TranscriptFile[] = [];
  for (const file of named) {
    if (files.length === most) break;
    if (project === null || (await isOf(file, project))) files.push(file);
  }
  if (files.length === 0 && project !== null && project.missing !== null) throw project.missing;
  return { files, ...told };
}

/** A folder of transcripts may lie anywhere. */
async function withPlaces(found: readonly TranscriptFile[], places: readonly string[]): Promise<TranscriptFile[]> {
  const known = new Set(found.map(({ path }) => path));
  const others = (await Promise.all(places.map(listTranscriptsIn))).flat().filter(({ path }) => !known.has(path));
  return [...found, ...others].sort((a, b) => b.changedAt - a.changedAt);
}

async function isOf(file: TranscriptFile, { places, isWanted }: NamedProject): Promise<boolean> {
  if (places.includes(dirname(file.path))) return true;
  const directory = await readDirectory(file);
  return directory !== null && isWanted(directory);
}

function isSession({ path, session }: TranscriptFile, id: string): boolean {
  return (session ?? path).includes(id);
}

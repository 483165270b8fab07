import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { AgentFolders } from '../../agents/transcript-folders.ts';
import { EngineError } from '../../model/errors.ts';

/** Whose transcripts are read: those in one of these folders, and those of work in a directory that is wanted. */
export interface NamedProject {
  places: readonly string[];
  isWanted(directory: string): boolean;
  /** Where there is no such folder: what is to be said if there are no transcripts of it either. */
  missing: EngineError | null;
}

interface Naming {
  folders: AgentFolders;
  /** The folder of the repository around a folder. */
  repositoryOf(folder: string): string;
}

/** The project that somebody works on in this folder. */
export function projectAt(folder: string, { folders, repositoryOf }: Naming): NamedProject {
  const here = repositoryOf(folder);
  const isWanted = (directory: string): boolean => repositoryOf(directory) === here;
  return { places: claudePlaces([folder, here], folders), isWanted, missing: null };
}

/**
 * What somebody gives as a project: its folder, a folder of transcripts, or the name that Claude Code gives to such a folder. A folder that is gone counts while
 * there are transcripts of the work in it.
 */
export async function nameProject(given: string, { folders, repositoryOf }: Naming): Promise<NamedProject> {
  const name = given.trim();
  const path = resolve(name.replace(/^~(?=[/\\]|$)/, homedir()));
  const isName = !isAbsolute(name) && !/^[.~]/.test(name);
  const real = await realpath(path).catch(() => path);
  const places = [path, ...claudePlaces([path, real], folders), ...(isName ? [claudePlace(name, folders)] : [])];
  const isWanted = (directory: string): boolean =>
    [path, real].some((one) => directory === one || repositoryOf(directory) === one) ||
    (isName && claudeNames(directory).includes(name));
  const kinds = await Promise.all(places.map(kindOf));
  if (name === '' || (kinds[0] === 'file' && !kinds.includes('folder')))
    throw new EngineError('invalid_input', `${name === '' ? 'An empty name' : given} is not a folder.`, {
      hint: 'Give the folder of a project, or one that holds its transcripts.',
    });
  const missing = new EngineError('not_found', `There is no folder ${given}, and there are no transcripts of it.`, {
    hint: `Give the folder of a project, one that holds its transcripts, or the name of one in ${join(folders.claude, 'projects')}.`,
  });
  return { places, isWanted, missing: kinds.includes('folder') ? null : missing };
}

async function kindOf(path: string): Promise<'folder' | 'file' | 'nothing'> {
  const found = await stat(path).catch(() => null);
  return found === null ? 'nothing' : found.isDirectory() ? 'folder' : 'file';
}

/** Claude Code names its folders after the directory, with a hyphen for everything else; mcp-memory-service looks for one for each separator. */
function claudeNames(directory: string): string[] {
  return [directory.replaceAll(/[^a-zA-Z0-9]/g, '-'), directory.replaceAll(/[\\/]/g, '-')];
}

function claudePlace(name: string, { claude }: AgentFolders): string {
  return join(claude, 'projects', name);
}

function claudePlaces(directories: readonly string[], folders: AgentFolders): string[] {
  return [...new Set(directories.flatMap(claudeNames))].map((name) => claudePlace(name, folders));
}

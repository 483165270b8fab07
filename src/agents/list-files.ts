import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../model/errors.ts';
import type { TranscriptAgent, TranscriptFile } from './agent-transcript.ts';

/** Files of this name in a folder and so many levels below it; none where the folder is not there. */
export async function listFiles(
  folder: string,
  wanted: { agent: TranscriptAgent; name: RegExp; depth: number },
): Promise<TranscriptFile[]> {
  const found: TranscriptFile[] = [];
  for (const entry of await list(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && wanted.depth > 0)
      found.push(...(await listFiles(path, { ...wanted, depth: wanted.depth - 1 })));
    else if (entry.isFile() && wanted.name.test(entry.name))
      found.push({ agent: wanted.agent, path, changedAt: (await stat(path)).mtimeMs });
  }
  return found;
}

async function list(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return []; // this agent has never run here
    throw new EngineError('storage_read_only', `${folder} cannot be read: ${message}.`, {
      cause: error,
      hint: 'Check its permissions and its owner.',
    });
  }
}

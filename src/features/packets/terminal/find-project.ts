import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { projectName } from '../../../client/project-folder.ts';

const run = promisify(execFile);

/** The repository around the working folder: its name, and where it stands. Without one, the folder's name. */
export async function findProject(folder = process.cwd()): Promise<{ name: string; ref: string | null }> {
  const branch = await git(folder, 'rev-parse', '--abbrev-ref', 'HEAD');
  const commit = await git(folder, 'rev-parse', '--short', 'HEAD');
  const ref = branch === null || commit === null ? null : `${branch} at ${commit}`;
  return { name: projectName(folder), ref };
}

/** null where git is not there, or has no answer. */
async function git(folder: string, ...words: string[]): Promise<string | null> {
  try {
    const { stdout } = await run('git', ['-C', folder, ...words], { timeout: 3000 });
    return stdout.trim() || null;
  } catch {
    return null; // no repository, or no git: the folder alone names the project
  }
}

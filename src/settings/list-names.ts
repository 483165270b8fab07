import { readdirSync } from 'node:fs';

/** Of what lies in a folder; none where it is absent or cannot be looked into. */
export function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

/** Whether a file with one of these endings lies in the folder. */
export function hasFiles(folder: string, endings: readonly string[]): boolean {
  return listNames(folder).some((name) => endings.some((ending) => name.endsWith(ending)));
}

import { accessSync } from 'node:fs';

/** Asked without opening the file. */
export function mayAccess(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false; // whatever the reason, this process may not
  }
}

import { equal } from 'node:assert/strict';
import { statSync } from 'node:fs';

/** Who may read and write what is there. Windows has no such modes: files there are as private as the folder of the person they are in. */
export function expectMode(path: string, mode: number): void {
  if (process.platform !== 'win32') equal(statSync(path).mode & 0o777, mode, path);
}

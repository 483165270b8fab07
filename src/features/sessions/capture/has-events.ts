import { hasFiles } from '../../../settings/list-names.ts';

/** Of files in the spool that wait to be taken in. */
export const WAITING_ENDINGS = ['.jsonl', '.taking'] as const;

/** Whether anything waits in the spool to be taken in. */
export function hasEvents(folder: string): boolean {
  return hasFiles(folder, WAITING_ENDINGS);
}

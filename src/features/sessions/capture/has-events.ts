import { listNames } from './spool.ts';

/** Whether anything waits in the spool to be taken in. */
export function hasEvents(folder: string): boolean {
  return listNames(folder).some((name) => name.endsWith('.jsonl') || name.endsWith('.taking'));
}

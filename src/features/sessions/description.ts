import type { Observation, ObservationType } from './observation.ts';

/** What rules make of one event. */
export interface Description {
  /** At most 80 characters. */
  title: string;
  /** At most 240 characters, the first 120 of which make sense alone. */
  summary: string;
  type: ObservationType;
  /** Relative to the session's folder where they lie in it. */
  files: string[];
  /** At most five. */
  concepts: string[];
  /** It went wrong: the agent says so, or the outcome does. */
  failed: boolean;
  /** Whether it changed the project, or tried something out: what may mend what failed before. */
  act: 'edit' | 'install' | 'command' | 'look' | 'said';
  /** Of a command: what it comes down to; the same work has the same text. */
  command: string | null;
  /** Of what failed: what went wrong. */
  problem: string | null;
}

/** What of earlier observations of the same session matters to the next. */
export type Earlier = Pick<Observation, 'act' | 'failed' | 'files' | 'command' | 'problem' | 'summary'>;

export const TITLE_CHARS = 80;
export const SUMMARY_CHARS = 240;
export const MOST_CONCEPTS = 5;
const MOST_FILES = 20;

/** Each once, without empty ones. */
export function distinct(names: readonly string[], most: number): string[] {
  return [...new Set(names.map((name) => name.trim()).filter((name) => name !== ''))].slice(0, most);
}

/** As people name it: relative to the folder of the session. */
export function showPath(path: string, directory: string | null): string {
  const folder = directory === null ? '' : directory.replace(/[\\/]+$/, '');
  if (folder !== '' && (path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`)))
    return path.slice(folder.length + 1);
  return path.replace(/^\.\//, '');
}

export function showPaths(paths: readonly string[], directory: string | null): string[] {
  return distinct(
    paths.map((path) => showPath(path, directory)),
    MOST_FILES,
  );
}

export function baseName(path: string): string {
  return path.split(/[\\/]/).at(-1) || path;
}

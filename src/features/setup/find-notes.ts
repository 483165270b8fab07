import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Place } from '../../agents/agent.ts';
import { claudeFolder, claudeState } from '../../agents/claude-code/agent.ts';
import { codexFolder } from '../../agents/codex/agent.ts';
import { readBytes } from '../../agents/edits/write-file.ts';
import { openCodeFolder } from '../../agents/opencode/agent.ts';
import { isObject, parseJson } from '../../model/json-text.ts';
import { sha256Of } from '../../model/sha256.ts';

/** A file that somebody wrote for agents: instructions, a note of an agent's own memory, a skill. */
export interface Note {
  path: string;
  kind: 'instructions' | 'memory' | 'skill';
  text: string;
  hash: string;
  /** The folder that it is about; null: about everything. */
  folder: string | null;
}

export interface FoundNotes {
  notes: Note[];
  /** Files that are left out, and why. */
  skipped: { path: string; reason: string }[];
}

const MAX_BYTES = 50 * 1024;
const MAX_DEPTH = 3;
/** A home may be on a slow disk, or be the whole of a company's. */
const MAX_FOLDERS = 20_000;
const NAMES = ['CLAUDE.md', 'AGENTS.md', 'GEMINI.md'];
/** Nobody writes notes there, and they are large. */
const NOT_ENTERED = /^(node_modules|\..*|Library|AppData|dist|build|target|vendor|venv|go|snap)$/;

/** What people have written already, inside their home alone: links that lead out of it are not followed. */
export function findNotes(place: Place): FoundNotes {
  const found: FoundNotes = { notes: [], skipped: [] };
  const home = realpathSync(place.home);
  const seen = new Set<string>();
  const add = (path: string, kind: Note['kind'], folder: string | null): void => {
    const real = resolveInside(path, home, found);
    if (real === null || seen.has(real)) return;
    seen.add(real);
    const bytes = readSmall(real);
    if (typeof bytes === 'string') {
      found.skipped.push({ path, reason: bytes });
      return;
    }
    const text = bytes.toString('utf8');
    if (text.trim() === '') return;
    found.notes.push({ path, kind, text, hash: sha256Of(bytes), folder });
  };
  for (const path of globalFiles(place)) add(path, 'instructions', null);
  const folders = claudeProjects(place);
  const projects = join(claudeFolder(place), 'projects');
  for (const name of listNames(projects))
    for (const file of listNames(join(projects, name, 'memory')))
      if (file.endsWith('.md')) add(join(projects, name, 'memory', file), 'memory', folders.get(name) ?? null);
  for (const skills of [join(claudeFolder(place), 'skills'), join(codexFolder(place), 'skills')])
    for (const name of listNames(skills))
      add(name.endsWith('.md') ? join(skills, name) : join(skills, name, 'SKILL.md'), 'skill', null);
  for (const { path, folder } of walk(place.home, { left: MAX_FOLDERS }))
    add(path, 'instructions', folder === place.home ? null : folder);
  return found;
}

/** The reason where it is not to be had. */
function readSmall(path: string): Buffer | string {
  if (statSync(path).size > MAX_BYTES) return `larger than ${MAX_BYTES / 1024} KB`;
  try {
    return readFileSync(path);
  } catch {
    return 'cannot be read';
  }
}

function globalFiles(place: Place): string[] {
  return [
    join(claudeFolder(place), 'CLAUDE.md'),
    join(codexFolder(place), 'AGENTS.md'),
    join(place.home, '.gemini', 'GEMINI.md'),
    join(openCodeFolder(place), 'AGENTS.md'),
  ];
}

/** null where it is no file, or lies elsewhere. */
function resolveInside(path: string, home: string, { skipped }: FoundNotes): string | null {
  let real: string;
  try {
    real = realpathSync(path);
    if (!statSync(real).isFile()) return null;
  } catch {
    return null; // not there, or not to be read
  }
  const way = relative(home, real);
  if (way !== '..' && !way.startsWith(`..${sep}`) && !/^([a-zA-Z]:|[\\/])/.test(way)) return real;
  skipped.push({ path, reason: 'a link that leads out of your home' });
  return null;
}

/** Claude Code names a project's folder by its path, with everything but letters and digits as dashes; the paths stand in its state. */
function claudeProjects(place: Place): Map<string, string> {
  try {
    const state = parseJson(readBytes(claudeState(place))?.toString('utf8') ?? '');
    const paths = isObject(state) && isObject(state.projects) ? Object.keys(state.projects) : [];
    return new Map(paths.map((path) => [path.replace(/[^a-zA-Z0-9]/g, '-'), path]));
  } catch {
    return new Map(); // without it the notes belong to no project
  }
}

function* walk(folder: string, budget: { left: number }, depth = 0): Generator<{ path: string; folder: string }> {
  if (budget.left-- <= 0) return;
  const names = listNames(folder);
  for (const name of NAMES) if (names.includes(name)) yield { path: join(folder, name), folder };
  if (depth === MAX_DEPTH) return;
  for (const name of names) {
    const path = join(folder, name);
    if (!NOT_ENTERED.test(name) && isFolder(path)) yield* walk(path, budget, depth + 1);
  }
}

/** Itself, not what a link leads to. */
function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return []; // not there, or not ours
  }
}

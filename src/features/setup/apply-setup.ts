import { rmSync } from 'node:fs';
import { extname } from 'node:path';
import type { Agent, Place, Wiring } from '../../agents/agent.ts';
import { missingFolders, readBytes, realFile, removeEmptyFolder, replaceFile } from '../../agents/edits/write-file.ts';
import type { EngineError } from '../../model/errors.ts';
import { sha256Of } from '../../model/sha256.ts';
import { type AgentPlan, decode, describeProblem, type FileChange } from './plan-setup.ts';
import {
  dropBackupFolder,
  isJournalLost,
  type Journal,
  type JournalFile,
  keepBackup,
  readJournal,
  writeJournal,
} from './setup-journal.ts';

export interface Applied {
  agent: string;
  path: string;
  /** null: the file is new. */
  backup: string | null;
}

/** Where the journal and the backups are, and which time it is. */
export interface Keeping {
  folder: string;
  now: Date;
}

/** Writes what was planned. A file that has changed since is not overwritten: its agent gets a problem instead. */
export function applyPlans(plans: readonly AgentPlan[], keeping: Keeping): { applied: Applied[]; problems: Problem[] } {
  const applied: Applied[] = [];
  const problems: Problem[] = [];
  for (const { agent, changes } of plans)
    for (const change of changes.filter(({ isChanged }) => isChanged)) {
      try {
        applied.push({ agent: agent.name, path: change.path, backup: applyChange(change, agent, keeping) });
      } catch (error) {
        problems.push({ agent: agent.name, path: change.path, problem: describeProblem(error, change.path) });
      }
    }
  return { applied, problems };
}

export interface Problem {
  agent: string;
  path: string;
  problem: EngineError;
}

/** The journal is written first: a set-up that is killed in the middle can be undone. */
function applyChange(change: FileChange, agent: Agent, { folder, now }: Keeping): string | null {
  const current = readBytes(change.real, change.path);
  if (current === null ? change.before !== null : change.before?.equals(current) !== true) {
    const error: NodeJS.ErrnoException = new Error('it was changed in the meantime');
    throw Object.assign(error, { code: 'EBUSY', path: change.path });
  }
  const journal = readJournal(folder);
  const earlier = journal.files.find(({ real }) => real === change.real);
  const kept = earlier?.backup == null ? null : readBytes(earlier.backup);
  const isKnown =
    earlier !== undefined &&
    current !== null &&
    (sha256Of(current) === earlier.after || kept?.equals(current) === true);
  const backup =
    current === null ? null : isKnown ? earlier.backup : keepBackup(folder, { path: change.path, bytes: current, now });
  const entry: JournalFile = {
    path: change.path,
    real: change.real,
    agent: agent.name,
    backup: earlier === undefined || current === null ? backup : earlier.backup,
    after: sha256Of(change.after),
    isShared: earlier !== undefined && current !== null && (earlier.isShared || !isKnown),
  };
  const folders = [...new Set([...journal.folders, ...missingFolders(change.real)])];
  const others = journal.files.filter(({ real }) => real !== change.real);
  writeJournal(folder, { ...journal, folders, files: [...others, entry] });
  try {
    replaceFile(change.real, change.after);
  } catch (error) {
    if (backup !== null && backup !== earlier?.backup) rmSync(backup, { force: true });
    writeJournal(folder, { ...journal, folders });
    throw error;
  }
  return backup;
}

export type UndoneHow = 'restored' | 'removed' | 'cleared' | 'untouched';

export interface Undone {
  path: string;
  how: UndoneHow;
}

interface Undoing {
  folder: string;
  agents: readonly Agent[];
  place: Place;
  wiring: Wiring;
  /** Only these agents; all where nothing is said. */
  only?: ReadonlySet<string>;
  isDryRun?: boolean;
}

/**
 * Byte for byte what was there before, where nobody else has written since; otherwise only our entries are taken out. Where the
 * journal is lost, all files of agents are looked through; where it is there, entries that somebody wrote by hand stay.
 */
export function undoSetup(undoing: Undoing): { undone: Undone[]; problems: Problem[] } {
  const { folder, agents, place, wiring, only, isDryRun } = undoing;
  const journal = readJournal(folder);
  const undone: Undone[] = [];
  const problems: Problem[] = [];
  const settled = new Set<string>();
  const isLost = isJournalLost(folder);
  const attempt = (agent: string, path: string, work: () => UndoneHow): void => {
    try {
      undone.push({ path, how: work() });
    } catch (error) {
      problems.push({ agent, path, problem: describeProblem(error, path) });
    }
  };
  for (const agent of agents.filter(({ name }) => only === undefined || only.has(name))) {
    const edits = agent.edits(place, wiring);
    for (const path of new Set(edits.map((edit) => edit.path))) {
      const known = journal.files.find((file) => file.path === path && file.agent === agent.name);
      if (known === undefined && !isLost) continue;
      const clear = (text: string, before: string): string =>
        edits.filter((edit) => edit.path === path).reduce((rest, edit) => edit.clear(rest, before), text);
      attempt(agent.name, path, () => undoFile({ path, known, clear, isDryRun: isDryRun === true }));
      if (known !== undefined) settled.add(known.real);
    }
    // An agent may have got another file since, which it now prefers.
    for (const known of journal.files.filter((file) => file.agent === agent.name && !settled.has(file.real))) {
      const alike = edits.filter((edit) => formatOf(edit.path) === formatOf(known.path));
      const clear = (text: string, before: string): string =>
        alike.reduce((rest, edit) => edit.clear(rest, before), text);
      attempt(agent.name, known.path, () => undoFile({ path: known.path, known, clear, isDryRun: isDryRun === true }));
      settled.add(known.real);
    }
  }
  if (isDryRun !== true) {
    const failed = new Set(problems.map(({ path }) => path));
    const gone = journal.files.filter(({ real, path }) => settled.has(real) && !failed.has(path));
    for (const { backup } of gone) if (backup !== null) rmSync(backup, { force: true });
    dropBackupFolder(folder);
    const files = journal.files.filter((file) => !gone.includes(file));
    const inUse = dropFolders(journal.folders, problems);
    writeJournal(folder, { ...journal, files, folders: files.length === 0 ? [] : inUse });
  }
  return { undone: undone.filter(({ how }) => how !== 'untouched'), problems };
}

/** From the inside out. Returns those in which something is: they may go when the next agent is undone. */
function dropFolders(folders: readonly string[], problems: Problem[]): string[] {
  const inward = [...folders].sort((a, b) => b.length - a.length);
  return inward.filter((folder) => {
    try {
      return removeEmptyFolder(folder) === 'inUse';
    } catch (error) {
      problems.push({ agent: 'folders', path: folder, problem: describeProblem(error, folder) });
      return true;
    }
  });
}

function formatOf(path: string): string {
  return extname(path).replace('.jsonc', '.json');
}

interface UndoFile {
  path: string;
  known: JournalFile | undefined;
  clear(text: string, before: string): string;
  isDryRun: boolean;
}

function undoFile({ path, known, clear, isDryRun }: UndoFile): UndoneHow {
  const real = known?.real ?? realFile(path);
  const current = readBytes(real, path);
  if (current === null) return 'untouched';
  const before = known?.backup == null ? null : readBytes(known.backup);
  const act = (how: UndoneHow, work: () => void): UndoneHow => {
    if (!isDryRun) work();
    return how;
  };
  const remove = (): UndoneHow => act('removed', () => rmSync(real, { force: true }));
  if (known !== undefined && !known.isShared && sha256Of(current) === known.after) {
    if (known.backup === null) return remove();
    if (before !== null) return act('restored', () => void replaceFile(real, before));
  }
  const text = decode(current, path);
  const rest = clear(text, before === null ? '' : decode(before, path));
  if (rest === text) return 'untouched';
  const isOwn = known === undefined ? rest === '' : known.backup === null && /^\s*(\{\s*\})?\s*$/.test(rest);
  if (isOwn) return remove();
  return act('cleared', () => void replaceFile(real, Buffer.from(rest, 'utf8')));
}

/** What stands in the journal besides files. */
export function rememberInJournal(folder: string, more: Partial<Omit<Journal, 'files'>>): void {
  writeJournal(folder, { ...readJournal(folder), ...more });
}

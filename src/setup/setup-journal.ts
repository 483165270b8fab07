import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { EngineError } from '../model/errors.ts';
import { hashOf, readBytes, replaceFile } from './write-file.ts';

/** What set-up has done to one file, so that it can be undone. */
export interface JournalFile {
  path: string;
  real: string;
  agent: string;
  /** A copy of the file as it was before us; null: there was none, and it is ours. */
  backup: string | null;
  /** Hash of what we wrote last. */
  after: string;
  /** Somebody else has changed it between two of our writes: then only our own entries can be taken out. */
  isShared: boolean;
  madeFolders: readonly string[];
}

export interface Journal {
  files: readonly JournalFile[];
  /** The server that set-up signed this machine in to, and the one that was used before. */
  server: { host: string; previous: string | null; hadSignIn: boolean } | null;
  /** Somebody has asked for what was written for agents already. */
  notes: boolean;
}

const EMPTY: Journal = { files: [], server: null, notes: false };

function journalPath(folder: string): string {
  return join(folder, 'setup.json');
}

export function readJournal(folder: string): Journal {
  const path = journalPath(folder);
  const bytes = readBytes(path);
  if (bytes === null) return EMPTY;
  try {
    return { ...EMPTY, ...(JSON.parse(bytes.toString('utf8')) as Partial<Journal>) };
  } catch (cause) {
    throw new EngineError('storage_damaged', `${path} cannot be read.`, {
      cause,
      hint: 'Move it away. `ltm setup --undo` then removes what it finds of ltm in the files of agents.',
    });
  }
}

/** Where there is none, nobody knows which entries are ours: then every one that bears our name counts. */
export function isJournalLost(folder: string): boolean {
  return !existsSync(journalPath(folder));
}

/** An empty one stays: after an undo, an entry named ltm is somebody else's. */
export function writeJournal(folder: string, journal: Journal): void {
  replaceFile(journalPath(folder), Buffer.from(`${JSON.stringify(journal, null, 2)}\n`));
}

/** Beside the journal, under the time and the file's name; only its owner can read it. */
export function keepBackup(folder: string, { path, bytes, now }: { path: string; bytes: Buffer; now: Date }): string {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '');
  const backup = join(folder, 'backups', `${time}-${randomBytes(3).toString('hex')}-${basename(path)}`);
  replaceFile(backup, bytes);
  if (hashOf(readBytes(backup)!) !== hashOf(bytes))
    throw new EngineError('storage_damaged', `The backup ${backup} differs from ${path}.`, { hint: 'Check the disk.' });
  return backup;
}

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readBytes, removeEmptyFolder, replaceFile } from '../../agents/edits/write-file.ts';
import { EngineError } from '../../model/errors.ts';
import { isObject, parseJson } from '../../model/json-text.ts';
import { sha256Of } from '../../model/sha256.ts';
import { isListOfTexts } from '../../model/tags.ts';

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
  /** Earlier versions keep the folders here. */
  madeFolders?: readonly string[];
}

export interface Journal {
  files: readonly JournalFile[];
  /** Those that were made for the files of all agents. They go when nothing is in them any more. */
  folders: readonly string[];
  /** The server that set-up signed this machine in to, and the one that was used before. */
  server: { host: string; previous: string | null; hadSignIn: boolean } | null;
  /** Somebody has asked for what was written for agents already. */
  notes: boolean;
}

const EMPTY: Journal = { files: [], folders: [], server: null, notes: false };

function journalPath(folder: string): string {
  return join(folder, 'setup.json');
}

export function readJournal(folder: string): Journal {
  const path = journalPath(folder);
  const bytes = readBytes(path);
  if (bytes === null) return EMPTY;
  const journal = asJournal(parseJson(bytes.toString('utf8')));
  if (journal !== null) return journal;
  throw new EngineError('storage_damaged', `${path} cannot be read.`, {
    hint: 'Move it away. `ltm setup --undo` then removes what it finds of ltm in the files of agents.',
  });
}

/** null: it is no journal. */
function asJournal(content: unknown): Journal | null {
  if (!isObject(content)) return null;
  const { files = [], folders = [], server = null, notes = false } = content;
  if (!Array.isArray(files) || !files.every(isJournalFile) || !isListOfTexts(folders) || typeof notes !== 'boolean')
    return null;
  if (server !== null && !isServer(server)) return null;
  const earlier = files.flatMap(({ madeFolders = [] }) => madeFolders);
  return { files, folders: [...new Set([...folders, ...earlier])], server, notes };
}

function isJournalFile(value: unknown): value is JournalFile {
  if (!isObject(value)) return false;
  const { path, real, agent, backup, after, isShared, madeFolders = [] } = value;
  const isNamed = isListOfTexts([path, real, agent, after]) && (backup === null || isListOfTexts([backup]));
  return isNamed && typeof isShared === 'boolean' && isListOfTexts(madeFolders);
}

function isServer(value: unknown): value is NonNullable<Journal['server']> {
  if (!isObject(value)) return false;
  const { host, previous, hadSignIn } = value;
  return isListOfTexts([host]) && (previous === null || isListOfTexts([previous])) && typeof hadSignIn === 'boolean';
}

/** Where there is none, nobody knows which entries are ours: then every one that starts ltm counts. */
export function isJournalLost(folder: string): boolean {
  return !existsSync(journalPath(folder));
}

/** An empty one stays: after an undo, an entry named ltm is somebody else's. */
export function writeJournal(folder: string, journal: Journal): void {
  replaceFile(journalPath(folder), Buffer.from(`${JSON.stringify(journal, null, 2)}\n`));
}

function backupFolder(folder: string): string {
  return join(folder, 'backups');
}

/** Beside the journal, under the time and the file's name; only its owner can read it. */
export function keepBackup(folder: string, { path, bytes, now }: { path: string; bytes: Buffer; now: Date }): string {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '');
  const backup = join(backupFolder(folder), `${time}-${randomBytes(3).toString('hex')}-${basename(path)}`);
  replaceFile(backup, bytes);
  if (sha256Of(readBytes(backup)!) !== sha256Of(bytes))
    throw new EngineError('storage_damaged', `The backup ${backup} differs from ${path}.`, { hint: 'Check the disk.' });
  return backup;
}

/** As soon as none is in it. */
export function dropBackupFolder(folder: string): void {
  removeEmptyFolder(backupFolder(folder));
}

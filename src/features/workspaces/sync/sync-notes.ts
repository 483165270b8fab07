import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, matchesGlob, relative, resolve, sep } from 'node:path';
import { EngineError } from '../../../model/errors.ts';
import { sha256Of } from '../../../model/sha256.ts';
import { writePrivateFile } from '../../../settings/private-file.ts';
import type { Environment } from '../../../settings/settings.ts';
import type { Client } from '../../../verbs/client.ts';
import { checkNotePath, MAX_NOTE_BYTES } from '../workspace.ts';
import { expandHome, type Manifest, type NoteState, type SyncState } from './sync-home.ts';

export interface NoteReport {
  uploaded: string[];
  downloaded: string[];
  /** Changed on both sides: the local text stands, the other lies beside it. */
  conflicts: string[];
  warnings: string[];
  failed: string[];
}

export function newNoteReport(): NoteReport {
  return { uploaded: [], downloaded: [], conflicts: [], warnings: [], failed: [] };
}

interface Place {
  client: Pick<Client, 'listNotes' | 'getNote' | 'uploadNote'>;
  workspace: string;
  writeToken: string | undefined;
  state: SyncState;
  report: NoteReport;
}

/** Whoever looks at the folder sees both texts; deleting this one settles it. */
const CONFLICT = /\.conflict-[0-9a-f]{8}\.md$/;

/** Notes of one manifest, both ways. A file that fails does not hold up the others, and nothing is deleted on either side. */
export async function syncNotes(manifest: Manifest, place: Place, env: Environment): Promise<void> {
  const { report } = place;
  const files = listTracked(manifest, env, report);
  const remote = new Map(
    (await place.client.listNotes({ workspace: place.workspace })).notes.map(({ path, sha256 }) => [path, sha256]),
  );
  for (const [path, file] of files)
    await attempt(report, file, () => syncNote({ path, file, remote: remote.get(path) ?? null }, place));
  for (const [path] of remote) {
    if (files.has(path) || place.state.notes[keyOf(place, path)] !== undefined) continue;
    const file = placeFor(manifest, path, env);
    // a link, or the same name to a disk that does not tell capitals from small letters
    if (file !== null && lstatSync(file, { throwIfNoEntry: false }) !== undefined)
      report.warnings.push(`${path} was not fetched: something else is in its place, ${file}.`);
    else if (file !== null) await attempt(report, file, () => fetchNote({ path, file, remote: null }, place));
  }
}

async function attempt(report: NoteReport, file: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof EngineError && (error.code === 'busy' || error.code === 'unauthorized')) throw error;
    report.failed.push(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** By the path under which each is uploaded. */
function listTracked(manifest: Manifest, env: Environment, report: NoteReport): Map<string, string> {
  const files = new Map<string, string>();
  const add = (path: string, file: string): void => {
    try {
      files.set(checkNotePath(path), file);
    } catch (error) {
      report.failed.push(`${file}: ${(error as Error).message}`);
    }
  };
  for (const { local, upload } of manifest.tracked) {
    const file = resolve(expandHome(local, env));
    if (!existsSync(file)) report.warnings.push(`${local} is not there.`);
    else if (statSync(file).isFile()) add(upload, file);
    else report.failed.push(`${file}: it is no file.`);
  }
  for (const { local, uploadPrefix, glob } of manifest.trackedDirs) {
    const folder = resolve(expandHome(local, env));
    if (!existsSync(folder)) {
      report.warnings.push(`${local} is not there.`);
      continue;
    }
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const below = name.split(sep).join('/');
      if (!fits(below, glob) || CONFLICT.test(below)) continue;
      const file = join(folder, name);
      // what a link points to may be anywhere
      if (lstatSync(file).isFile()) add(uploadPrefix + below, file);
    }
  }
  return files;
}

/** A pattern without a slash is about the folder itself. */
function fits(below: string, glob: string): boolean {
  return !below.split('/').some((part) => part.startsWith('.')) && matchesGlob(below, glob);
}

/** Where a note of the server belongs, if it is one of a folder that is kept; never outside of it. */
function placeFor(manifest: Manifest, path: string, env: Environment): string | null {
  for (const { local, uploadPrefix, glob } of manifest.trackedDirs) {
    const folder = resolve(expandHome(local, env));
    if (!path.startsWith(uploadPrefix) || !existsSync(folder)) continue;
    const below = path.slice(uploadPrefix.length);
    if (!fits(below, glob)) continue;
    checkNotePath(path);
    const file = join(folder, ...below.split('/'));
    if (isInside(folder, file)) return file;
  }
  return null;
}

/** By what the folders above it really are, links followed. */
function isInside(folder: string, file: string): boolean {
  let above = dirname(file);
  while (!existsSync(above)) above = dirname(above);
  const way = relative(realpathSync(folder), realpathSync(above));
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

interface OneNote {
  path: string;
  file: string;
  /** The hash that the server has; null: it has no such note. */
  remote: string | null;
}

function keyOf({ workspace }: Pick<Place, 'workspace'>, path: string): string {
  return `${workspace}/${path}`;
}

async function syncNote(note: OneNote, place: Place): Promise<void> {
  const { path, file, remote } = note;
  const { state, report } = place;
  const key = keyOf(place, path);
  const known: NoteState | undefined = state.notes[key];
  const { mtimeMs, size } = statSync(file);
  if (size > MAX_NOTE_BYTES) throw tooLarge();
  const isTouched = known === undefined || known.mtimeMs !== mtimeMs || known.size !== size;
  const bytes = isTouched ? readFileSync(file) : null;
  const sha256 = bytes === null ? known!.sha256 : sha256Of(bytes);
  const isChangedHere = known === undefined || known.sha256 !== sha256;
  const isChangedThere =
    known === undefined ? remote !== null && remote !== sha256 : remote !== null && remote !== known.remote;
  const facts = { mtimeMs, size, sha256 };
  if (!isChangedHere && !isChangedThere) {
    state.notes[key] = { ...facts, remote: known?.remote ?? remote };
    return;
  }
  if (!isChangedHere) return fetchNote(note, place);
  if (remote === sha256) {
    state.notes[key] = { ...facts, remote };
    return;
  }
  const content = readText(bytes ?? readFileSync(file), file);
  if (isChangedThere) await keepBeside(note, place, remote!);
  const uploaded = await place.client.uploadNote({
    workspace: place.workspace,
    writeToken: place.writeToken,
    path,
    content,
    expectSha256: remote ?? '',
  });
  if (uploaded.status === 'conflict') {
    await keepBeside({ ...note, remote: uploaded.sha256 }, place, uploaded.sha256);
    return; // the next run sends it, having seen both
  }
  state.notes[key] = { ...facts, remote: uploaded.sha256 };
  if (uploaded.status !== 'unchanged') report.uploaded.push(path);
}

function tooLarge(): EngineError {
  return new EngineError('too_large', `it has more than ${MAX_NOTE_BYTES} bytes and is no note.`);
}

function readText(bytes: Buffer, file: string): string {
  const text = bytes.toString('utf8');
  if (bytes.length > MAX_NOTE_BYTES) throw tooLarge();
  if (!Buffer.from(text).equals(bytes))
    throw new EngineError('invalid_input', 'it is not UTF-8 text.', { details: { file } });
  return text;
}

async function fetchNote({ path, file }: OneNote, place: Place): Promise<void> {
  const note = await place.client.getNote({ workspace: place.workspace, path });
  writeNote(file, note.content);
  const { mtimeMs, size } = statSync(file);
  place.state.notes[keyOf(place, path)] = { mtimeMs, size, sha256: note.sha256, remote: note.sha256 };
  place.report.downloaded.push(path);
}

async function keepBeside({ path, file }: OneNote, place: Place, remote: string): Promise<void> {
  const note = await place.client.getNote({ workspace: place.workspace, path });
  writeNote(file.replace(/\.md$/, `.conflict-${remote.slice(0, 8)}.md`), note.content);
  place.report.conflicts.push(path);
}

/** In one step; a program that is killed leaves the old text or the new one. */
function writeNote(file: string, content: string): void {
  writePrivateFile(file, content, { keepsMode: true });
}

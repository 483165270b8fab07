import { EngineError } from '../../../model/errors.ts';
import { sha256Of } from '../../../model/sha256.ts';
import { checkNotePath, versionNameOf, type Workspace } from '../workspace.ts';
import type { MirrorFiles } from './mirror-files.ts';
import type { MirrorOptions, MirrorReport, MirrorSource } from './mirror-folder.ts';

/** By workspace and path: the hashes of what the folder and the memory had when they were last the same. */
export type NoteMarks = Record<string, { local: string; remote: string }>;

interface NoteMirror extends MirrorOptions {
  source: MirrorSource['verbs'];
  files: MirrorFiles;
  workspace: Workspace;
  top: string;
  marks: NoteMarks;
  report: MirrorReport;
}

const CONFLICT = /\.conflict-[0-9a-f]{8}\.md$/;
/** More than so many files, and so large a share of them, are not removed because a folder happens to be empty. */
const FEW = 20;
const SMALL_SHARE = 0.05;

/** What fails so would fail for every other file too. */
export function holdsUpAll({ code }: EngineError): boolean {
  return code === 'busy' || code === 'unauthorized' || code === 'storage_full';
}

export async function mirrorNotes(mirror: NoteMirror): Promise<void> {
  const { source, files, workspace, top, marks, report } = mirror;
  const { workspaceId } = workspace;
  const folder = `${top}/knowledge`;
  const remote = new Map(
    (await source.listNotes({ workspace: workspaceId })).notes.map((note) => [note.path, note.sha256]),
  );
  const local = new Map<string, string>();
  for (const path of files.list(folder)) {
    if (!path.endsWith('.md') || CONFLICT.test(path)) continue;
    try {
      const bytes = files.read(`${folder}/${path}`);
      if (bytes !== null) local.set(path, sha256Of(bytes));
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      // It is not gone: nothing is removed because it cannot be read.
      const known = marks[`${workspaceId}/${path}`]?.local;
      if (known !== undefined) local.set(path, known);
      report.warnings.push(`${folder}/${path}: ${error.message}`);
    }
  }
  const known = Object.keys(marks).flatMap((key) =>
    key.startsWith(`${workspaceId}/`) ? [key.slice(workspaceId.length + 1)] : [],
  );
  const gone = known.filter(
    (path) => !local.has(path) && remote.has(path) && remote.get(path) === markOf(path)?.remote,
  );
  const isTooMany = gone.length > FEW && gone.length > known.length * SMALL_SHARE && mirror.removesMany !== true;
  if (isTooMany)
    report.warnings.push(
      `${gone.length} notes of ${workspaceId} are missing in the folder. They were left in the memory; --yes removes them there.`,
    );
  const taken = new Map<string, string>();
  for (const path of new Set([...remote.keys(), ...local.keys(), ...known])) {
    const rival = files.isCaseBlind ? taken.get(path.toLowerCase()) : undefined;
    taken.set(path.toLowerCase(), rival ?? path);
    if (rival !== undefined) {
      report.warnings.push(`${folder}/${path}: this disk does not tell it from ${rival}, which is there already.`);
      continue;
    }
    try {
      checkNotePath(path);
      await mirrorNote(path);
    } catch (error) {
      if (!(error instanceof EngineError) || holdsUpAll(error)) throw error;
      report.warnings.push(`${folder}/${path}: ${error.message}`);
    }
  }

  for (const { path, sha256, deletedAt } of (await source.listNotes({ workspace: workspaceId, deleted: true })).notes)
    if (deletedAt !== null && !local.has(path)) await keepDeleted(path, versionNameOf(deletedAt, sha256));

  function markOf(path: string): NoteMarks[string] | undefined {
    return marks[`${workspaceId}/${path}`];
  }

  async function mirrorNote(path: string): Promise<void> {
    const [here, there, mark] = [local.get(path), remote.get(path), markOf(path)];
    const isChangedHere = here !== mark?.local;
    const isChangedThere = there !== mark?.remote;
    if (!isChangedHere && !isChangedThere) return;
    if (here !== undefined && here === there) return note(path, here, there);
    if (isChangedThere && there !== undefined) {
      if (isChangedHere && here !== undefined) await keepBeside(path, here);
      return fetch(path);
    }
    if (isChangedThere && !isChangedHere) return removeHere(path);
    if (here !== undefined) return send(path);
    if (there !== undefined && !isTooMany) return removeThere(path);
  }

  function note(path: string, here: string, there: string): void {
    marks[`${workspaceId}/${path}`] = { local: here, remote: there };
  }

  /** What the person wrote stays in the folder under a name that says so; it is theirs to put together. */
  async function keepBeside(path: string, here: string): Promise<void> {
    const bytes = files.read(`${folder}/${path}`);
    if (bytes === null) return;
    files.write(`${folder}/${path.replace(/\.md$/, `.conflict-${here.slice(0, 8)}.md`)}`, bytes);
    report.conflicts.push(`${folder}/${path}`);
  }

  async function fetch(path: string): Promise<void> {
    const { content, sha256 } = await source.getNote({ workspace: workspaceId, path });
    files.write(`${folder}/${path}`, content);
    note(path, sha256Of(content), sha256);
    report.written.push(`${folder}/${path}`);
    await writeVersions(path);
  }

  /** Every earlier text, under the name that it has. */
  async function writeVersions(path: string): Promise<void> {
    const { versions } = await source.listNoteVersions({ workspace: workspaceId, path });
    for (const { version } of versions) {
      const file = `${folder}/.versions/${path}.${version}.md`;
      if (version === 'current' || files.read(file) !== null) continue;
      files.write(file, (await source.getNote({ workspace: workspaceId, path, version })).content);
    }
  }

  /** Of a note that came and went between two rounds, or before the folder was there. */
  async function keepDeleted(path: string, last: string): Promise<void> {
    try {
      checkNotePath(path);
      if (files.read(`${folder}/.versions/${path}.${last}.md`) === null) await writeVersions(path);
    } catch (error) {
      if (!(error instanceof EngineError) || holdsUpAll(error)) throw error;
      if (error.code !== 'not_found') report.warnings.push(`${folder}/.versions/${path}: ${error.message}`);
    }
  }

  async function send(path: string): Promise<void> {
    const bytes = files.read(`${folder}/${path}`);
    if (bytes === null) return;
    const content = bytes.toString('utf8');
    if (!Buffer.from(content).equals(bytes)) throw new EngineError('invalid_input', 'It is not UTF-8 text.');
    const { machine, tool, project } = workspace;
    const { writeToken } = await source.registerWorkspace({ machine, tool, project });
    const expectSha256 = remote.get(path) ?? '';
    const sent = await source.uploadNote({ workspace: workspaceId, writeToken, path, content, expectSha256 });
    if (sent.status === 'conflict') return; // the next round sees what is there now
    note(path, sha256Of(bytes), sent.sha256);
    report.sent.push(`${folder}/${path}`);
    if (sent.sha256 !== sha256Of(bytes)) await fetch(path);
    else await writeVersions(path);
  }

  async function removeHere(path: string): Promise<void> {
    await writeVersions(path).catch((error: unknown) => {
      if (!(error instanceof EngineError) || error.code !== 'not_found') throw error; // purged: nothing of it stays
    });
    files.remove(`${folder}/${path}`);
    delete marks[`${workspaceId}/${path}`];
    report.removed.push(`${folder}/${path}`);
  }

  async function removeThere(path: string): Promise<void> {
    await source.deleteNote({ workspace: workspaceId, path });
    await writeVersions(path);
    delete marks[`${workspaceId}/${path}`];
    report.removed.push(`${folder}/${path}`);
  }
}

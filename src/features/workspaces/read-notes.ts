import { authorize } from '../../engine/authorize.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import { readPages } from '../../engine/records/find-records.ts';
import type { Caller } from '../../model/caller.ts';
import { diffLines } from '../../model/diff-lines.ts';
import type { StoredRecord } from '../../model/record.ts';
import { needWorkspace } from './find-workspace.ts';
import { findText, type KeptText, listTexts, type TextVersion, versionOf } from './list-texts.ts';
import { NOTE, noSuchNote, noteRecordId } from './note-kind.ts';
import { type NoteFacts, readNotePath } from './workspace.ts';

const PAGE = 200;

export interface Note extends NoteFacts {
  version: string;
  content: string;
}

export interface NoteRef {
  workspace: string;
  path: string;
  /** The name or the revision of an earlier text. */
  version?: string;
}

export interface NoteListInput {
  workspace: string;
  prefix?: string;
  /** Those that were deleted and can still be read, instead. */
  deleted?: boolean;
}

/** Every note of a workspace, by path. */
export async function listNotes(
  parts: EngineParts,
  caller: Caller,
  { workspace, prefix = '', deleted = false }: NoteListInput,
): Promise<NoteFacts[]> {
  authorize(caller, 'read', caller.space);
  await needWorkspace(parts, caller, workspace);
  const notes: NoteFacts[] = [];
  const filter = { kinds: [NOTE], workspace, includeSuperseded: true, ...(deleted && { deleted: 'only' as const }) };
  for await (const { items } of readPages(parts.store, caller.space, { filter, limit: PAGE }))
    for (const record of items) if (String(record.body.path).startsWith(prefix)) notes.push(factsOf(record));
  return notes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Deletions and restores count as changes of the record, not as texts. */
function factsOf(record: StoredRecord): NoteFacts {
  const { workspace, body, updatedAt, revision, deletedAt } = record;
  const { path, bytes, sha256 } = body as { path: string; bytes: number; sha256: string };
  return { workspaceId: workspace ?? '', path, bytes, sha256, updatedAt, versions: revision - 1, deletedAt };
}

async function needNote(parts: EngineParts, caller: Caller, { workspace, path }: NoteRef): Promise<StoredRecord> {
  authorize(caller, 'read', caller.space);
  await needWorkspace(parts, caller, workspace);
  const checked = readNotePath(path);
  const [record] = await parts.store.getRecords(caller.space, [noteRecordId(workspace, checked)]);
  if (record === undefined) throw noSuchNote(checked);
  return record;
}

/** The text to the byte. Of one that is deleted, its versions alone can be read. */
export async function getNote(
  parts: EngineParts,
  caller: Caller,
  { version, isDeletedMeant = false, ...ref }: NoteRef & { isDeletedMeant?: boolean },
): Promise<Note> {
  const record = await needNote(parts, caller, ref);
  const { deletedAt } = record;
  if (version === undefined) {
    if (deletedAt !== null && !isDeletedMeant) throw noSuchNote(ref.path);
    return { ...factsOf(record), version: 'current', content: record.content };
  }
  const found = findText(await listTexts(parts, record), version, 'note');
  const { content, sha256, bytes } = found;
  return { ...factsOf(record), version: found.version, content, sha256, bytes };
}

/** Every text that the note has had, newest first. */
export async function listNoteVersions(parts: EngineParts, caller: Caller, ref: NoteRef): Promise<TextVersion[]> {
  const texts = await listTexts(parts, await needNote(parts, caller, ref));
  return texts.map(versionOf);
}

/** What changed between two texts of a note, as a unified diff; by default between the last two. */
export async function diffNote(
  parts: EngineParts,
  caller: Caller,
  { from, to, ...ref }: NoteRef & { from?: string; to?: string },
): Promise<{ from: string; to: string; diff: string }> {
  const record = await needNote(parts, caller, ref);
  const texts = await listTexts(parts, record);
  const find = (version: string | undefined, fallback: KeptText | undefined): KeptText =>
    version === undefined && fallback !== undefined ? fallback : findText(texts, version, 'note');
  const newer = find(to, texts[0]);
  const older = find(from, texts[texts.indexOf(newer) + 1] ?? newer);
  return { from: older.version, to: newer.version, diff: diffLines(older.content, newer.content).join('\n') };
}

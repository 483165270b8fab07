import type { Caller } from '../../model/caller.ts';
import { diffLines } from '../../model/diff-lines.ts';
import { EngineError } from '../../model/errors.ts';
import type { Instant } from '../../model/ids.ts';
import type { StoredRecord } from '../../model/record.ts';
import { type NoteFacts, readNotePath, sha256Of, versionNameOf } from '../../model/workspace.ts';
import { authorize } from '../authorize.ts';
import type { EngineParts } from '../engine-parts.ts';
import { readPages } from '../records/find-records.ts';
import { needWorkspace } from './find-workspace.ts';
import { NOTE, noSuchNote, noteRecordId } from './note-kind.ts';

const PAGE = 200;

export interface NoteVersion {
  /** `20260131T101500Z.1a2b3c4d`, or `current`. */
  version: string;
  /** Counted from 1. */
  revision: number;
  sha256: string;
  bytes: number;
  writtenAt: Instant;
  /** Null: it is the current one. */
  replacedAt: Instant | null;
}

export interface Note extends NoteFacts {
  version: string;
  content: string;
  deletedAt: Instant | null;
}

export interface NoteRef {
  workspace: string;
  path: string;
  /** The name or the revision of an earlier text. */
  version?: string;
}

/** Every note of a workspace, by path. */
export async function listNotes(
  parts: EngineParts,
  caller: Caller,
  { workspace, prefix = '' }: { workspace: string; prefix?: string },
): Promise<NoteFacts[]> {
  authorize(caller, 'read', caller.space);
  await needWorkspace(parts, caller, workspace);
  const notes: NoteFacts[] = [];
  const filter = { kinds: [NOTE], workspace, includeSuperseded: true };
  for await (const { items } of readPages(parts.store, caller.space, { filter, limit: PAGE }))
    for (const record of items) if (String(record.body.path).startsWith(prefix)) notes.push(factsOf(record));
  return notes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Deletions and restores count as changes of the record, not as texts. */
function factsOf(record: StoredRecord): NoteFacts {
  const { workspace, body, updatedAt, revision } = record;
  const { path, bytes, sha256 } = body as { path: string; bytes: number; sha256: string };
  return { workspaceId: workspace ?? '', path, bytes, sha256, updatedAt, versions: revision - 1 };
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
    return { ...factsOf(record), version: 'current', content: record.content, deletedAt };
  }
  const texts = await listTexts(parts, record);
  const found = texts.find((text) => text.version === version || String(text.revision) === version);
  if (found === undefined)
    throw new EngineError('not_found', 'This note has no such version.', {
      hint: `It has ${texts
        .map((text) => text.version)
        .slice(0, 5)
        .join(', ')}.`,
      details: { version: version.slice(0, 100) },
    });
  const { content, sha256, bytes } = found;
  return { ...factsOf(record), version: found.version, content, sha256, bytes, deletedAt };
}

type NoteText = NoteVersion & { content: string };

/** Every text that the note has had, newest first. */
export async function listNoteVersions(parts: EngineParts, caller: Caller, ref: NoteRef): Promise<NoteVersion[]> {
  const texts = await listTexts(parts, await needNote(parts, caller, ref));
  return texts.map(({ content: _, ...facts }) => facts);
}

async function listTexts({ store }: EngineParts, record: StoredRecord): Promise<NoteText[]> {
  const texts: NoteText[] = [];
  const push = (content: string, facts: Pick<NoteText, 'revision' | 'writtenAt' | 'replacedAt'>): void => {
    const sha256 = sha256Of(content);
    const { replacedAt } = facts;
    const version = replacedAt === null ? 'current' : versionNameOf(replacedAt, sha256);
    texts.push({ version, ...facts, sha256, bytes: Buffer.byteLength(content), content });
  };
  const { content, revision, updatedAt, deletedAt } = record;
  push(content, { revision, writtenAt: updatedAt, replacedAt: deletedAt });
  for (const { record: earlier, replacedAt } of await store.listVersions(record.space, record.id))
    if (earlier.content !== texts.at(-1)?.content)
      push(earlier.content, { revision: earlier.revision, writtenAt: earlier.updatedAt, replacedAt });
  return texts;
}

/** What changed between two texts of a note, as a unified diff; by default between the last two. */
export async function diffNote(
  parts: EngineParts,
  caller: Caller,
  { from, to, ...ref }: NoteRef & { from?: string; to?: string },
): Promise<{ from: string; to: string; diff: string }> {
  const record = await needNote(parts, caller, ref);
  const texts = await listTexts(parts, record);
  const find = (version: string | undefined, fallback: NoteText | undefined): NoteText => {
    const found =
      version === undefined
        ? fallback
        : texts.find((text) => text.version === version || String(text.revision) === version);
    if (found !== undefined) return found;
    throw new EngineError('not_found', 'This note has no such version.', {
      hint: `It has ${texts
        .map((text) => text.version)
        .slice(0, 5)
        .join(', ')}.`,
    });
  };
  const newer = find(to, texts[0]);
  const older = find(from, texts[texts.indexOf(newer) + 1] ?? newer);
  return { from: older.version, to: newer.version, diff: diffLines(older.content, newer.content).join('\n') };
}

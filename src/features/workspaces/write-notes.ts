import type { EngineParts } from '../../engine/engine-parts.ts';
import { retryConflicts } from '../../engine/records/change-record.ts';
import { checkText } from '../../engine/records/check-text.ts';
import { makeSearchable } from '../../engine/records/make-searchable.ts';
import { actorOf } from '../../engine/records/origin.ts';
import { putRecord } from '../../engine/records/record-changes.ts';
import { openRedactor } from '../../engine/records/redact-content.ts';
import { makeContent } from '../../engine/records/store-record.ts';
import type { Caller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { StoredRecord } from '../../model/record.ts';
import { sha256Of } from '../../model/sha256.ts';
import { needOwnWorkspace, needWritable, originIn } from './find-workspace.ts';
import { NOTE, noSuchNote, noteKey, noteRecordId } from './note-kind.ts';
import { getNote } from './read-notes.ts';
import { MAX_NOTE_BYTES, readNotePath, versionNameOf } from './workspace.ts';
import { bodyOf } from './workspace-kind.ts';

export interface UploadNoteInput {
  workspace: string;
  writeToken?: string;
  path: string;
  content: string;
  /** The hash of the text that the writer has seen; another one there, and nothing is written. '' where there was none. */
  expectSha256?: string;
}

export type UploadedNote =
  | { status: 'created' | 'updated' | 'unchanged'; sha256: string; version?: string; redacted: number }
  /** Somebody else has changed it since; nothing was written. */
  | { status: 'conflict'; sha256: string; redacted: 0 };

export async function uploadNote(parts: EngineParts, caller: Caller, input: UploadNoteInput): Promise<UploadedNote> {
  const path = readNotePath(input.path);
  checkNoteText(input.content);
  const place = await needWritable(parts, caller, input);
  return putNote(parts, caller, { place, path, content: input.content, expectSha256: input.expectSha256 });
}

function checkNoteText(content: string): void {
  checkText('content', content);
  const bytes = Buffer.byteLength(content);
  if (bytes > MAX_NOTE_BYTES)
    throw new EngineError('too_large', `A note has at most ${MAX_NOTE_BYTES} bytes; this one has ${bytes}.`, {
      hint: 'Divide it into several notes.',
      details: { field: 'content', limit: MAX_NOTE_BYTES, value: bytes },
    });
}

interface NotePut {
  place: StoredRecord;
  path: string;
  content: string;
  expectSha256?: string;
}

async function putNote(
  parts: EngineParts,
  caller: Caller,
  { place, path, content: text, expectSha256 }: NotePut,
): Promise<UploadedNote> {
  const workspace = place.key ?? '';
  const id = noteRecordId(workspace, path);
  const { project, tool, redact } = bodyOf(place);
  const made = makeContent(parts.kinds.need(NOTE), parts.clock.now(), {
    key: noteKey(workspace, path),
    workspace,
    project: project.slice(0, 200),
    agent: tool.slice(0, 200),
    ...originIn(caller, place),
    content: text,
    body: { path },
  });
  const redactor = redact ? await openRedactor(parts, caller) : null;
  await redactor?.readAhead(made.content);
  const { content, redactions } = redactor?.content(made) ?? { content: made, redactions: [] };
  const redacted = redactions.filter(({ replaced }) => replaced).length;
  const sha256 = sha256Of(content.content);
  const { passages, vectors } = await makeSearchable(parts, content);
  return retryConflicts(async () => {
    const [known = null] = await parts.store.getRecords(caller.space, [id]);
    const live = known !== null && known.deletedAt === null ? known : null;
    if (live !== null && live.body.sha256 === sha256) return { status: 'unchanged', sha256, redacted };
    const seen = live === null ? '' : String(live.body.sha256);
    if (expectSha256 !== undefined && expectSha256 !== seen) return { status: 'conflict', sha256: seen, redacted: 0 };
    const put = known === null ? content : { ...content, createdAt: known.createdAt };
    const written = await putRecord(parts, caller, {
      id,
      content: put,
      known,
      passages,
      vectors,
      unlessDuplicate: false,
    });
    if (written === null) return null;
    if (live === null) return { status: 'created', sha256, redacted };
    return { status: 'updated', sha256, version: versionNameOf(parts.clock.now(), seen), redacted };
  });
}

/** Its text stays readable as a version until what is deleted is purged. */
export async function deleteNote(
  parts: EngineParts,
  caller: Caller,
  { workspace, path: given }: { workspace?: string; path: string },
): Promise<{ workspaceId: string; path: string }> {
  const path = readNotePath(given);
  const place = await needOwnWorkspace(parts, caller, workspace);
  const workspaceId = place.key ?? '';
  return retryConflicts(async () => {
    const [known] = await parts.store.getRecords(caller.space, [noteRecordId(workspaceId, path)]);
    if (known === undefined || known.deletedAt !== null) throw noSuchNote(path);
    const { id, revision } = known;
    const change = { op: 'delete', id, at: parts.clock.now(), revision } as const;
    const { outcome } = await parts.store.commit(caller.space, [change], actorOf(caller));
    return outcome === 'committed' ? { workspaceId, path } : null;
  });
}

/** Makes an earlier text, or a deleted one, the current one again. */
export async function restoreNote(
  parts: EngineParts,
  caller: Caller,
  { workspace, path: given, version }: { workspace?: string; path: string; version?: string },
): Promise<UploadedNote> {
  const path = readNotePath(given);
  const place = await needOwnWorkspace(parts, caller, workspace);
  const note = await getNote(parts, caller, { workspace: place.key ?? '', path, version, isDeletedMeant: true });
  return putNote(parts, caller, { place, path, content: note.content });
}

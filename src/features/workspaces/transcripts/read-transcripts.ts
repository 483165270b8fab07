import { checkSessionId, type TranscriptFacts } from '../../../agents/transcript.ts';
import { authorize } from '../../../engine/authorize.ts';
import type { EngineParts } from '../../../engine/engine-parts.ts';
import type { Records } from '../../../engine/ports.ts';
import { commitInBatches } from '../../../engine/records/change-record.ts';
import { readFilter } from '../../../engine/records/list-records.ts';
import { actorOf } from '../../../engine/records/origin.ts';
import type { Caller } from '../../../model/caller.ts';
import { EngineError } from '../../../model/errors.ts';
import type { Page } from '../../../model/page.ts';
import type { StoredRecord } from '../../../model/record.ts';
import { needOwnWorkspace, needWorkspace } from '../find-workspace.ts';
import { readChunks } from './read-chunks.ts';
import { readLines } from './read-lines.ts';
import { chunksIn, factsOf, partRecordId, TRANSCRIPT, transcriptRecordId } from './transcript-body.ts';

export interface ListTranscriptsInput {
  workspace?: string;
  limit?: number;
  cursor?: string;
  after?: string;
  before?: string;
}

/** Newest session first. */
export async function listTranscripts(
  parts: EngineParts,
  caller: Caller,
  { workspace, limit = 20, cursor, after, before }: ListTranscriptsInput,
): Promise<Page<TranscriptFacts>> {
  authorize(caller, 'read', caller.space);
  if (workspace !== undefined) await needWorkspace(parts, caller, workspace);
  const given = { kinds: [TRANSCRIPT], workspace, includeSuperseded: true };
  const filter = await readFilter(parts, caller, { filter: given, after, before });
  const page = await parts.store.listRecords(caller.space, filter, { limit, cursor: cursor ?? null });
  return { items: page.items.map(factsOf), total: page.total, cursor: page.cursor };
}

export interface SessionRef {
  workspace: string;
  session: string;
}

export async function needTranscript(
  parts: { store: Records },
  caller: Caller,
  { workspace, session }: SessionRef,
): Promise<StoredRecord> {
  authorize(caller, 'read', caller.space);
  await needWorkspace(parts, caller, workspace);
  const id = transcriptRecordId(workspace, checkSessionId(session));
  const [record] = await parts.store.getRecords(caller.space, [id]);
  if (record !== undefined && record.deletedAt === null) return record;
  throw new EngineError('not_found', 'There is no such session.', { details: { session } });
}

export interface ReadSessionInput extends SessionRef {
  /** The first line, counted from 0. */
  offset?: number;
  limit?: number;
  maxBytes?: number;
}

export interface SessionLines {
  lines: string[];
  offset: number;
  /** Null: there are no more. */
  nextOffset: number | null;
  totalLines: number;
  /** Lines, by their places in `lines`, of which only the beginning is here. */
  cut: number[];
  endsWithNewline: boolean;
}

/** Lines as they were uploaded, without their line ends. */
export async function readSession(
  parts: EngineParts,
  caller: Caller,
  { offset = 0, limit = 100, maxBytes = 65_536, ...ref }: ReadSessionInput,
): Promise<SessionLines> {
  const record = await needTranscript(parts, caller, ref);
  const { lines: totalLines, endsWithNewline } = factsOf(record);
  const lines: string[] = [];
  const cut: number[] = [];
  let bytes = 0;
  if (offset < totalLines)
    for await (const line of readLines(parts, record, { offset, mostBytes: maxBytes })) {
      if (lines.length > 0 && bytes + line.bytes.length > maxBytes) break;
      if (line.isCut) cut.push(lines.length);
      lines.push(line.bytes.toString('utf8'));
      bytes += line.bytes.length;
      if (lines.length >= limit || bytes >= maxBytes) break;
    }
  const next = offset + lines.length;
  const nextOffset = next < totalLines && lines.length > 0 ? next : null;
  return { lines, offset, nextOffset, totalLines, cut, endsWithNewline };
}

/** All bytes of a transcript, a piece at a time. */
export async function* readTranscriptBytes(
  parts: EngineParts,
  caller: Caller,
  ref: SessionRef,
): AsyncGenerator<Buffer> {
  const { body } = await needTranscript(parts, caller, ref);
  for await (const { bytes } of readChunks(parts, caller.space, { chunks: chunksIn(body) })) yield bytes;
}

/** Of the workspace that the caller is bound to. Until it is purged, uploading it again brings it back. */
export async function deleteTranscript(
  parts: EngineParts,
  caller: Caller,
  { workspace, session }: { workspace?: string; session: string },
): Promise<{ workspaceId: string; sessionId: string }> {
  const place = await needOwnWorkspace(parts, caller, workspace);
  const workspaceId = place.key ?? '';
  const record = await needTranscript(parts, caller, { workspace: workspaceId, session });
  const ids = chunksIn(record.body).map((_, index) => partRecordId(workspaceId, session, index));
  const there = (await parts.store.getRecords(caller.space, ids)).filter(({ deletedAt }) => deletedAt === null);
  const at = parts.clock.now();
  const changes = [...there, record].map(({ id }) => ({ op: 'delete', id, at }) as const);
  await commitInBatches(parts.store, { space: caller.space, actor: actorOf(caller), changes });
  return { workspaceId, sessionId: session };
}

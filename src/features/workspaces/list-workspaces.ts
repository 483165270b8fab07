import { authorize } from '../../engine/authorize.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import type { Records } from '../../engine/ports.ts';
import { readPages } from '../../engine/records/find-records.ts';
import type { KindTable } from '../../engine/records/kind.ts';
import type { Caller } from '../../model/caller.ts';
import type { Instant } from '../../model/ids.ts';
import type { RecordKind, StoredRecord } from '../../model/record.ts';
import { needWorkspace } from './find-workspace.ts';
import { findText, listTexts, type TextVersion, versionOf } from './list-texts.ts';
import { NOTE } from './note-kind.ts';
import type { Workspace } from './workspace.ts';
import { bodyOf, WORKSPACE } from './workspace-kind.ts';

const PAGE = 200;
const TRANSCRIPT = 'transcript';

/** All of the caller's space, by id. */
export async function listWorkspaces(parts: EngineParts, caller: Caller): Promise<Workspace[]> {
  authorize(caller, 'read', caller.space);
  const found: Workspace[] = [];
  const filter = { kinds: [WORKSPACE], includeSuperseded: true };
  for await (const { items } of readPages(parts.store, caller.space, { filter, limit: PAGE }))
    for (const record of items) found.push(await describeWorkspace(parts, record));
  return found.sort((a, b) => (a.workspaceId < b.workspaceId ? -1 : 1));
}

export async function getWorkspace(parts: EngineParts, caller: Caller, workspace: string): Promise<Workspace> {
  authorize(caller, 'read', caller.space);
  return describeWorkspace(parts, await needWorkspace(parts, caller, workspace));
}

export interface Overview {
  workspaceId: string;
  version: string;
  content: string;
  sha256: string;
  bytes: number;
  /** Newest first. */
  versions: TextVersion[];
}

/** What a workspace says of itself, or has said. */
export async function readOverview(
  parts: EngineParts,
  caller: Caller,
  { workspace, version: name }: { workspace: string; version?: string },
): Promise<Overview> {
  authorize(caller, 'read', caller.space);
  const record = await needWorkspace(parts, caller, workspace);
  const texts = await listTexts(parts, record, (one) => bodyOf(one).overview);
  const { version, content, sha256, bytes } = findText(texts, name, 'overview');
  return { workspaceId: record.key ?? '', version, content, sha256, bytes, versions: texts.map(versionOf) };
}

async function describeWorkspace(parts: EngineParts, record: StoredRecord): Promise<Workspace> {
  const { rotations: _, ...said } = bodyOf(record);
  const [notes, transcripts] = await Promise.all([count(parts, record, NOTE), count(parts, record, TRANSCRIPT)]);
  return {
    workspaceId: record.key ?? '',
    ...said,
    knowledgeCount: notes.total,
    sessionCount: transcripts.total,
    createdAt: record.createdAt,
    updatedAt: Math.max(record.updatedAt, notes.newest, transcripts.newest),
  };
}

async function count(
  { store, kinds }: { store: Records; kinds: KindTable },
  { space, key }: StoredRecord,
  kind: RecordKind,
): Promise<{ total: number; newest: Instant }> {
  if (kinds.find(kind) === undefined) return { total: 0, newest: 0 };
  const filter = { kinds: [kind], workspace: key ?? '', includeSuperseded: true };
  const { total } = await store.listRecords(space, filter, { limit: 1 });
  return { total, newest: await store.lastChange(space, { ...filter, deleted: 'include' }) };
}

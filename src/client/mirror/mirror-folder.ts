import { createWriteStream, mkdirSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { toIso } from '../../model/instant.ts';
import { type TranscriptFacts, transcriptPath } from '../../model/transcript.ts';
import { checkWorkspaceId, type Workspace } from '../../model/workspace.ts';
import type { Client } from '../../verbs/client.ts';
import { type MirrorFiles, makeDraft } from './mirror-files.ts';
import { mirrorNotes, type NoteMarks } from './mirror-notes.ts';

/** What a mirror asks of a memory, near or far. */
export type MirrorSource = Pick<
  Client,
  | 'getOverview'
  | 'registerWorkspace'
  | 'listNotes'
  | 'getNote'
  | 'listNoteVersions'
  | 'uploadNote'
  | 'deleteNote'
  | 'listTranscripts'
  | 'readTranscript'
> & {
  /** All bytes of a transcript, where they are at hand. */
  readBytes?(ref: { workspace: string; session: string }): AsyncIterable<Uint8Array>;
};

export interface MirrorReport {
  /** Paths that were written into the folder, sent from it, or removed from it. */
  written: string[];
  sent: string[];
  removed: string[];
  conflicts: string[];
  warnings: string[];
}

export interface MirrorOptions {
  /** Files that were removed from the folder are removed from the memory however many they are. */
  removesMany?: boolean;
}

interface Marks {
  notes: NoteMarks;
  /** Transcripts by their path, with the hash of what was written. */
  sessions: Record<string, string>;
}

const STATE = '_meta/state.json';

/** One round: edits of notes go to the memory, everything that is new there comes into the folder. */
export async function mirrorOnce(
  source: MirrorSource,
  files: MirrorFiles,
  options: MirrorOptions = {},
): Promise<MirrorReport> {
  const report: MirrorReport = { written: [], sent: [], removed: [], conflicts: [], warnings: [] };
  const { welcome, workspaces } = await source.getOverview({});
  const { notes = {}, sessions = {} } = files.readJson(STATE) as Partial<Marks>;
  const marks: Marks = { notes, sessions };
  try {
    if (welcome !== '') files.write('README.md', welcome);
    for (const workspace of workspaces) {
      const top = `workspaces/${checkWorkspaceId(workspace.workspaceId)}`;
      describePlace(files, top, workspace);
      await mirrorNotes({ source, files, workspace, top, marks: marks.notes, report, ...options });
      await mirrorSessions({ source, files, workspace, top, marks: marks.sessions, report });
    }
    files.write('_meta/workspaces.json', `${JSON.stringify({ workspaces: workspaces.map(identityOf) }, null, 2)}\n`);
  } finally {
    files.write(STATE, `${JSON.stringify(marks)}\n`);
  }
  return report;
}

function identityOf({ workspaceId, machine, tool, project, ...facts }: Workspace): Record<string, unknown> {
  return {
    ...{ workspace_id: workspaceId, machine, tool, project, description: facts.description },
    ...{ created_at: toIso(facts.createdAt), last_seen: toIso(facts.updatedAt) },
    ...{ knowledge_count: facts.knowledgeCount, session_count: facts.sessionCount },
  };
}

function describePlace(files: MirrorFiles, top: string, workspace: Workspace): void {
  files.write(`${top}/identity.json`, `${JSON.stringify(identityOf(workspace), null, 2)}\n`);
  if (workspace.overview !== '' || files.read(`${top}/overview.md`) !== null)
    files.write(`${top}/overview.md`, workspace.overview);
}

interface SessionMirror {
  source: MirrorSource;
  files: MirrorFiles;
  workspace: Workspace;
  top: string;
  marks: Record<string, string>;
  report: MirrorReport;
}

const PAGE = 100;

async function mirrorSessions(mirror: SessionMirror): Promise<void> {
  const { source, files, workspace, top, marks, report } = mirror;
  const there = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const page = await source.listTranscripts({ workspace: workspace.workspaceId, limit: PAGE, cursor });
    for (const facts of page.transcripts) {
      const path = `${top}/sessions/${transcriptPath(facts.sessionId, facts.startedAt)}`;
      there.add(path);
      if (marks[path] === facts.sha256 && files.read(sidecarOf(path)) !== null) continue;
      await writeSession(mirror, facts, path);
      marks[path] = facts.sha256;
      report.written.push(path);
    }
    if (page.cursor === null) break;
    cursor = page.cursor;
  }
  for (const path of Object.keys(marks)) {
    if (!path.startsWith(`${top}/`) || there.has(path)) continue;
    for (const gone of [path, sidecarOf(path)]) files.remove(gone);
    delete marks[path];
    report.removed.push(path);
  }
}

function sidecarOf(path: string): string {
  return path.replace(/\.jsonl\.gz$/, '.meta.json');
}

async function writeSession(
  { source, files, workspace }: SessionMirror,
  facts: TranscriptFacts,
  path: string,
): Promise<void> {
  const ref = { workspace: workspace.workspaceId, session: facts.sessionId };
  const file = files.place(path);
  mkdirSync(dirname(file), { recursive: true });
  const draft = makeDraft(file);
  const bytes = source.readBytes?.(ref) ?? readPages(source, ref);
  await pipeline(Readable.from(bytes), createGzip(), createWriteStream(draft, { flags: 'wx' }));
  renameSync(draft, file);
  const { sessionId, sha256, lines, startedAt, endedAt, uploadedAt } = facts;
  const sidecar = {
    ...{ session_id: sessionId, sha256, bytes: facts.bytes, lines, source: facts.source },
    ...{ started_at: toIso(startedAt), ended_at: toIso(endedAt), uploaded_at: toIso(uploadedAt) },
  };
  files.write(sidecarOf(path), `${JSON.stringify(sidecar, null, 2)}\n`);
}

async function* readPages(source: MirrorSource, ref: { workspace: string; session: string }): AsyncGenerator<Buffer> {
  for (let offset: number | null = 0; offset !== null; ) {
    const page: Awaited<ReturnType<MirrorSource['readTranscript']>> = await source.readTranscript({
      ...{ ...ref, offset, limit: 1000, maxBytes: 16 << 20 },
    });
    const isEnd = page.nextOffset === null;
    if (page.lines.length > 0) yield Buffer.from(page.lines.join('\n') + (isEnd && !page.endsWithNewline ? '' : '\n'));
    offset = page.nextOffset;
  }
}

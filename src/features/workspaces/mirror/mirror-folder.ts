import { toIso } from '../../../model/instant.ts';
import { sha256Of } from '../../../model/sha256.ts';
import { checkWorkspaceId } from '../../../model/workspace-id.ts';
import type { Client } from '../../../verbs/client.ts';
import type { Workspace } from '../workspace.ts';
import { bindMirror } from './bind-mirror.ts';
import type { MirrorFiles } from './mirror-files.ts';
import { mirrorNotes } from './mirror-notes.ts';
import { mirrorSessions, readPages } from './mirror-sessions.ts';

/** What a mirror asks of a memory, near or far. */
export interface MirrorSource {
  verbs: Pick<
    Client,
    | 'identifyMemory'
    | 'getOverview'
    | 'readOverview'
    | 'registerWorkspace'
    | 'listNotes'
    | 'getNote'
    | 'listNoteVersions'
    | 'uploadNote'
    | 'deleteNote'
    | 'listTranscripts'
    | 'readTranscript'
  >;
  /** All bytes of a transcript. */
  readBytes(ref: { workspace: string; session: string }): AsyncIterable<Uint8Array>;
}

/** A memory of which nothing is at hand but its verbs. */
export function mirrorSource(verbs: MirrorSource['verbs']): MirrorSource {
  return { verbs, readBytes: (ref) => readPages(verbs, ref) };
}

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

/** One round: edits of notes go to the memory, everything that is new there comes into the folder. */
export async function mirrorOnce(
  source: MirrorSource,
  files: MirrorFiles,
  options: MirrorOptions = {},
): Promise<MirrorReport> {
  const report: MirrorReport = { written: [], sent: [], removed: [], conflicts: [], warnings: [] };
  const { marks, keep } = await bindMirror(source, files);
  const { welcome, workspaces } = await source.verbs.getOverview({});
  try {
    if (welcome !== '') files.write('README.md', welcome);
    for (const workspace of workspaces) {
      const top = `workspaces/${checkWorkspaceId(workspace.workspaceId)}`;
      files.write(`${top}/identity.json`, `${JSON.stringify(identityOf(workspace), null, 2)}\n`);
      await mirrorOverview({ source: source.verbs, files, top, workspace, marks: marks.overviews, report });
      await mirrorNotes({ source: source.verbs, files, workspace, top, marks: marks.notes, report, ...options });
      await mirrorSessions({ source, files, workspace, top, marks: marks.sessions, report });
    }
    files.write('_meta/workspaces.json', `${JSON.stringify({ workspaces: workspaces.map(identityOf) }, null, 2)}\n`);
  } finally {
    keep();
  }
  return report;
}

function identityOf({ workspaceId, machine, tool, project, ...facts }: Workspace): Record<string, unknown> {
  return {
    workspace_id: workspaceId,
    machine,
    tool,
    project,
    description: facts.description,
    created_at: toIso(facts.createdAt),
    last_seen: toIso(facts.updatedAt),
    knowledge_count: facts.knowledgeCount,
    session_count: facts.sessionCount,
  };
}

interface OverviewMirror {
  source: MirrorSource['verbs'];
  files: MirrorFiles;
  top: string;
  workspace: Workspace;
  marks: Record<string, string>;
  report: MirrorReport;
}

/** It is only written, with its earlier texts. A text that was not written by a mirror of this memory stays beside it. */
async function mirrorOverview(mirror: OverviewMirror): Promise<void> {
  const { source, files, top, workspace, marks, report } = mirror;
  const { workspaceId, overview } = workspace;
  const path = `${top}/overview.md`;
  const here = files.read(path);
  const hash = here === null ? null : sha256Of(here);
  const wanted = sha256Of(overview);
  if (hash === wanted || (here === null && overview === '')) {
    marks[workspaceId] = wanted;
    return;
  }
  if (here !== null && here.length > 0 && hash !== marks[workspaceId]) {
    files.write(`${top}/overview.conflict-${sha256Of(here).slice(0, 8)}.md`, here);
    report.conflicts.push(path);
  }
  const { versions } = await source.readOverview({ workspace: workspaceId });
  for (const { version } of versions) {
    const file = `${top}/.versions/overview.md.${version}.md`;
    if (version === 'current' || files.read(file) !== null) continue;
    files.write(file, (await source.readOverview({ workspace: workspaceId, version })).content);
  }
  files.write(path, overview);
  marks[workspaceId] = wanted;
}

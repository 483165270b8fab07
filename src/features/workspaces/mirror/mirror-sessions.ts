import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type TranscriptFacts, transcriptPath } from '../../../agents/transcript.ts';
import { EngineError } from '../../../model/errors.ts';
import { toIso } from '../../../model/instant.ts';
import type { Workspace } from '../workspace.ts';
import type { MirrorFiles } from './mirror-files.ts';
import type { MirrorReport, MirrorSource } from './mirror-folder.ts';
import { holdsUpAll } from './mirror-notes.ts';

interface SessionMirror {
  source: MirrorSource;
  files: MirrorFiles;
  workspace: Workspace;
  top: string;
  marks: Record<string, string>;
  report: MirrorReport;
}

const PAGE = 100;

/** Transcripts are only written; one that fails is named and holds up no other. */
export async function mirrorSessions(mirror: SessionMirror): Promise<void> {
  const { source, files, workspace, top, marks, report } = mirror;
  const there = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const page = await source.verbs.listTranscripts({ workspace: workspace.workspaceId, limit: PAGE, cursor });
    for (const facts of page.transcripts) {
      const path = `${top}/sessions/${transcriptPath(facts.sessionId, facts.startedAt)}`;
      there.add(path);
      try {
        await mirrorSession(mirror, facts, path);
      } catch (error) {
        if (!(error instanceof EngineError) || holdsUpAll(error)) throw error;
        report.warnings.push(`${path}: ${error.message}`);
      }
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

async function mirrorSession({ source, files, marks, report }: SessionMirror, facts: TranscriptFacts, path: string) {
  const { sha256 } = facts;
  const here = files.readJson(sidecarOf(path)).sha256;
  if (marks[path] === sha256 && here !== undefined) return;
  const isAsItWas = marks[path] === undefined && files.has(path);
  if (isAsItWas && here !== sha256) keepBeside({ files, report }, path);
  if (!isAsItWas || here !== sha256) {
    await writeSession({ source, files }, facts, path);
    report.written.push(path);
  }
  marks[path] = sha256;
}

function sidecarOf(path: string): string {
  return path.replace(/\.jsonl\.gz$/, '.meta.json');
}

/** What another memory had of a session of this name stays under another one. */
function keepBeside({ files, report }: Pick<SessionMirror, 'files' | 'report'>, path: string): void {
  const sidecar = sidecarOf(path);
  const { sha256 } = files.readJson(sidecar);
  const mark = typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256) ? sha256.slice(0, 8) : 'unknown';
  for (const file of [path, sidecar])
    if (files.has(file)) files.move(file, file.replace(/(?=\.jsonl\.gz$|\.meta\.json$)/, `.conflict-${mark}`));
  report.conflicts.push(path);
}

async function writeSession(
  { source, files }: Pick<SessionMirror, 'source' | 'files'>,
  { workspaceId: workspace, sessionId: session, ...facts }: TranscriptFacts,
  path: string,
): Promise<void> {
  const bytes = source.readBytes({ workspace, session });
  await files.stream(path, (stream) => pipeline(Readable.from(bytes), createGzip(), stream, { end: false }));
  const { sha256, lines, startedAt, endedAt, uploadedAt } = facts;
  const sidecar = {
    session_id: session,
    sha256,
    bytes: facts.bytes,
    lines,
    source: facts.source,
    started_at: toIso(startedAt),
    ended_at: toIso(endedAt),
    uploaded_at: toIso(uploadedAt),
  };
  files.write(sidecarOf(path), `${JSON.stringify(sidecar, null, 2)}\n`);
}

export async function* readPages(
  verbs: MirrorSource['verbs'],
  ref: { workspace: string; session: string },
): AsyncGenerator<Buffer> {
  for (let offset: number | null = 0; offset !== null; ) {
    const page: Awaited<ReturnType<typeof verbs.readTranscript>> = await verbs.readTranscript({
      ...ref,
      offset,
      limit: 1000,
      maxBytes: 16 << 20,
    });
    if (page.cut.length > 0)
      throw new EngineError('too_large', `Line ${offset + page.cut[0]!} is too long to be fetched.`);
    const isEnd = page.nextOffset === null;
    if (page.lines.length > 0) yield Buffer.from(page.lines.join('\n') + (isEnd && !page.endsWithNewline ? '' : '\n'));
    offset = page.nextOffset;
  }
}

import { transcriptPath } from '../../agents/transcript.ts';
import { uploadTranscript } from '../../features/workspaces/verbs/transcript-verbs.ts';
import { defineTool, jsonAnswer } from '../../mcp/tool.ts';
import { toIso } from '../../model/instant.ts';
import { readExactTime } from '../../model/read-exact-time.ts';
import { cursor, flag, integer, label, text, time } from '../../verbs/field.ts';
import { AS_DATA, anyWorkspaceId, verbatimAnswer, workspaceId } from './describe-workspace.ts';

const sessionId = label('', { isRequired: true });

export const listSessions = defineTool<{ workspace_id?: string; limit?: number; cursor?: string }>({
  name: 'list_sessions',
  title: 'List transcripts',
  text: 'Transcripts of sessions of agents, newest first.',
  action: 'read',
  listed: { workspace_id: anyWorkspaceId, limit: integer(1, 100), cursor: { ...cursor, about: undefined } },
  output: { sessions: [{ workspace_id: 'string', session_id: 'string' }], cursor: 'string' },
  async run({ engine, caller }, { workspace_id: workspace, ...page }) {
    const { items, cursor: next } = await engine.listTranscripts(caller, { workspace, ...page });
    const sessions = items.map(({ workspaceId: id, sessionId: session, title, startedAt, lines, bytes, sha256 }) => ({
      workspace_id: id,
      session_id: session,
      title,
      started_at: toIso(startedAt),
      lines,
      bytes,
      sha256,
    }));
    return jsonAnswer({ sessions, ...(next !== null && { cursor: next }) });
  },
});

interface ReadArguments {
  workspace_id: string;
  session_id: string;
  offset?: number;
  limit?: number;
  max_bytes?: number;
}

export const readSession = defineTool<ReadArguments>({
  name: 'read_session',
  title: 'Read a transcript',
  text: 'Lines of a transcript as they were written. offset is a line number.',
  action: 'read',
  listed: {
    workspace_id: workspaceId,
    session_id: sessionId,
    offset: integer(0, Number.MAX_SAFE_INTEGER),
    limit: integer(1, 1000),
    max_bytes: integer(1, 1 << 20),
  },
  output: { lines: ['string'], offset: 'number', next_offset: 'number', total_lines: 'number' },
  async run({ engine, caller }, { workspace_id: workspace, session_id: session, max_bytes: maxBytes, ...rest }) {
    const read = await engine.readSession(caller, { workspace, session, maxBytes, ...rest });
    const { lines, offset, nextOffset, totalLines, cut, endsWithNewline } = read;
    return verbatimAnswer({
      lines,
      offset,
      next_offset: nextOffset,
      total_lines: totalLines,
      ...(cut.length > 0 && { cut }),
      ...(nextOffset === null && { ends_with_newline: endsWithNewline }),
    });
  },
});

interface SearchArguments {
  query: string;
  workspace_id?: string;
  since?: string;
  until?: string;
  limit?: number;
  regex?: boolean;
  case_sensitive?: boolean;
  cursor?: string;
}

export const searchSessions = defineTool<SearchArguments>({
  name: 'search_sessions',
  title: 'Search transcripts',
  text: 'Lines of transcripts that hold these characters or match a pattern. line is an offset for read_session.',
  action: 'read',
  listed: {
    query: text('Characters, or a pattern with regex', { isRequired: true, min: 1, max: 1000 }),
    workspace_id: anyWorkspaceId,
    since: time('Date or phrase'),
    until: time(''),
    limit: integer(1, 100),
    regex: flag(),
  },
  unlisted: { case_sensitive: flag(), cursor },
  output: {
    matches: [{ workspace_id: 'string', session_id: 'string', line: 'number', text: 'string' }],
    cursor: 'string',
  },
  async run({ engine, caller }, { workspace_id: workspace, since, until, case_sensitive: caseSensitive, ...query }) {
    const {
      matches,
      cursor: next,
      timedOut,
    } = await engine.searchTranscripts(caller, {
      workspace,
      caseSensitive,
      after: since,
      before: until,
      ...query,
    });
    return jsonAnswer({
      notice: AS_DATA,
      matches: matches.map(({ workspaceId: id, sessionId: session, ...match }) => ({
        workspace_id: id,
        session_id: session,
        ...match,
      })),
      ...(next !== null && { cursor: next }),
      ...(timedOut && { timed_out: true }),
    });
  },
});

interface UploadArguments {
  workspace_id: string;
  write_token?: string;
  session_id: string;
  content?: string;
  content_gzip_base64?: string;
  started_at?: string;
  source?: string;
}

export const uploadSession = defineTool<UploadArguments>({
  name: 'upload_session',
  title: 'Upload a transcript',
  text: 'For programs: store the whole transcript of a session, with the write token of its workspace.',
  action: 'upload',
  idempotent: true,
  listed: {
    workspace_id: workspaceId,
    write_token: text('', { isRequired: true, max: 200 }),
    session_id: sessionId,
    content: text('JSON lines', { isVerbatim: true }),
    content_gzip_base64: text('The same, compressed'),
    started_at: { type: 'instant' },
    source: label(),
  },
  output: { status: 'string', sha256: 'string', path: 'string' },
  async run(context, args) {
    const { workspace_id: workspace, write_token: writeToken, session_id: session, source } = args;
    const {
      status,
      sha256,
      startedAt,
      sessionId: id,
      workspaceId: place,
    } = await uploadTranscript.run(context, {
      workspace,
      writeToken,
      session,
      source,
      content: args.content,
      contentGzipBase64: args.content_gzip_base64,
      startedAt: readExactTime(args.started_at ?? '') ?? undefined,
    });
    return jsonAnswer({ status, sha256, path: `workspaces/${place}/sessions/${transcriptPath(id, startedAt)}` });
  },
});

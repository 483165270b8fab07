import { createGunzip } from 'node:zlib';
import type { TranscriptFacts } from '../../../agents/transcript.ts';
import { EngineError } from '../../../model/errors.ts';
import type { Instant } from '../../../model/ids.ts';
import { cursor, type Field, flag, integer, label, text, time } from '../../../verbs/field.ts';
import { defineVerb } from '../../../verbs/verb.ts';
import type { UploadedTranscript } from '../transcripts/put-transcript.ts';
import type {
  ListTranscriptsInput,
  ReadSessionInput,
  SessionLines,
  SessionRef,
} from '../transcripts/read-transcripts.ts';
import type { ReceivedChunks } from '../transcripts/receive-chunks.ts';
import type { SearchTranscriptsInput, SessionMatches } from '../transcripts/search-transcripts.ts';
import type { FinishInput, TranscriptRef, UploadPlan } from '../transcripts/upload-transcript.ts';
import { workspace, writeToken } from './workspace-verbs.ts';

const session = label("The agent's own id of the session.", { isRequired: true });
const chunks: Field = { type: 'any', isRequired: true, about: 'The SHA-256 of each piece, in order.' };
const source = label('What wrote it, such as claude-code.');
const startedAt: Field = { type: 'instant', about: 'When the session began.' };

export const planTranscript = defineVerb<TranscriptRef & { chunks: readonly string[] }, UploadPlan>({
  needs: 'upload',
  input: { workspace, session, write_token: writeToken, chunks },
  run: ({ engine, caller }, input) => engine.planTranscript(caller, input),
  rest: {
    at: 'POST /workspaces/{workspace}/sessions/{session}/plan',
    summary: 'Ask which pieces of a transcript have to be sent',
    example: {
      body: { write_token: 'ltmw_…', chunks: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'] },
    },
    answers: { 200: 'The others are here. What follows `open` may be sent as what it has grown by.' },
    isUpload: true,
  },
});

export const uploadChunks = defineVerb<{ workspace: string; lines: AsyncIterable<string> }, ReceivedChunks>({
  needs: 'upload',
  handed: ['lines'],
  input: { workspace },
  run: ({ engine, caller }, input) => engine.uploadChunks(caller, input),
  rest: {
    at: 'POST /workspaces/{workspace}/chunks',
    summary: 'Send pieces of transcripts, as JSON lines: first the write token, then each piece',
    answers: { 200: 'They are stored. Sending them again does no harm.' },
    streams: 'in',
    isUpload: true,
  },
});

export const finishTranscript = defineVerb<FinishInput, UploadedTranscript>({
  needs: 'upload',
  input: { workspace, session, write_token: writeToken, chunks, started_at: startedAt, source },
  run: ({ engine, caller }, input) => engine.finishTranscript(caller, input),
  rest: {
    at: 'PUT /workspaces/{workspace}/sessions/{session}',
    summary: 'Make a transcript of pieces that are here',
    example: {
      body: { write_token: 'ltmw_…', chunks: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'] },
    },
    answers: { 200: 'stored, replaced, or duplicate where the same or more of it is here.' },
    isUpload: true,
  },
});

export interface WholeTranscript extends TranscriptRef {
  content?: string;
  contentGzipBase64?: string;
  startedAt?: Instant;
  source?: string;
}

/** What comes out of a compressed upload, against those that are made to grow. */
const MAX_RATIO = 100;
const MAX_UNPACKED_BYTES = 256 << 20;

export const uploadTranscript = defineVerb<WholeTranscript, UploadedTranscript>({
  needs: 'upload',
  input: {
    workspace,
    session,
    write_token: writeToken,
    content: text('JSON lines as the agent wrote them.', { isVerbatim: true }),
    content_gzip_base64: text('The same, compressed with gzip, in base 64.'),
    started_at: startedAt,
    source,
  },
  run: ({ engine, caller }, { content, contentGzipBase64, ...input }) =>
    engine.uploadTranscript(caller, { ...input, content: bytesOf(content, contentGzipBase64) }),
  rest: {
    at: 'POST /workspaces/{workspace}/sessions/{session}',
    summary: 'Upload a whole transcript at once',
    example: { body: { write_token: 'ltmw_…', content: '{"type":"user"}\n' } },
    answers: { 200: 'stored, replaced, or duplicate where the same or more of it is here.' },
    isUpload: true,
  },
});

async function* bytesOf(content: string | undefined, gzip: string | undefined): AsyncGenerator<Uint8Array> {
  if ((content === undefined) === (gzip === undefined))
    throw new EngineError('invalid_input', 'Give either content or content_gzip_base64.', {
      details: { field: 'content' },
    });
  if (content !== undefined) yield Buffer.from(content);
  else yield* unzip(Buffer.from(gzip ?? '', 'base64'));
}

async function* unzip(packed: Buffer): AsyncGenerator<Uint8Array> {
  const most = Math.min(MAX_UNPACKED_BYTES, Math.max(1 << 20, packed.length * MAX_RATIO));
  const stream = createGunzip();
  stream.end(packed);
  let size = 0;
  try {
    for await (const bytes of stream as AsyncIterable<Buffer>) {
      size += bytes.length;
      if (size > most)
        throw new EngineError('too_large', 'The transcript grows too much when it is unpacked.', {
          hint: 'Send it in pieces, as `ltm sync` does.',
          details: { limit: most },
        });
      yield bytes;
    }
  } catch (cause) {
    if (cause instanceof EngineError) throw cause;
    throw new EngineError('invalid_input', 'content_gzip_base64 is not compressed with gzip.', { cause });
  }
}

export interface ListedTranscripts {
  transcripts: TranscriptFacts[];
  total: number;
  cursor: string | null;
}

export const listTranscripts = defineVerb<ListTranscriptsInput, ListedTranscripts>({
  needs: 'read',
  input: {
    workspace: label('Only this workspace.'),
    after: time('Sessions that began at or after this time.'),
    before: time('Sessions that began before this time.'),
    limit: integer(1, 100, 'How many at most; 20 by default.'),
    cursor,
  },
  async run({ engine, caller }, input) {
    const { items, total, cursor: next } = await engine.listTranscripts(caller, input);
    return { transcripts: items, total, cursor: next };
  },
  rest: {
    at: 'GET /transcripts',
    summary: 'List transcripts, newest session first',
    headers: ['X-Time-Zone'],
    answers: { 200: 'One page.' },
    isPaged: true,
  },
  command: {
    name: 'transcripts',
    summary: 'List transcripts of sessions, newest first',
    usage: '',
    flags: ['workspace', 'after', 'before', 'limit', 'cursor'],
    maxWords: 0,
    examples: ['ltm transcripts', 'ltm transcripts --workspace laptop-claude-code-shop'],
  },
});

export const readTranscript = defineVerb<ReadSessionInput, SessionLines>({
  needs: 'read',
  input: {
    workspace,
    session,
    offset: integer(0, Number.MAX_SAFE_INTEGER, 'The first line, counted from 0.'),
    limit: integer(1, 1000, 'How many lines at most; 100 by default.'),
    max_bytes: integer(1, 16 << 20, 'How many bytes at most; 65536 by default. A longer line is cut.'),
  },
  run: ({ engine, caller }, input) => engine.readSession(caller, input),
  rest: {
    at: 'GET /workspaces/{workspace}/sessions/{session}',
    summary: 'Read lines of a transcript',
    example: { path: '/workspaces/laptop-claude-code-shop/sessions/0198c1a2?offset=0&limit=50' },
    answers: { 200: 'Lines as they were uploaded, and where to go on.' },
  },
  command: {
    name: 'transcript',
    summary: 'Print lines of a transcript',
    usage: 'WORKSPACE --session ID [--offset N]',
    about: 'Into a file or a program goes the whole transcript, to the byte, unless --offset or --limit is given.',
    words: 'workspace',
    flags: ['session', 'offset', 'limit'],
    maxWords: 1,
    examples: ['ltm transcript laptop-claude-code-shop --session 0198c1a2 > session.jsonl'],
  },
});

export const deleteTranscript = defineVerb<SessionRef, { workspaceId: string; sessionId: string }>({
  needs: 'tend',
  input: { workspace, session },
  run: ({ engine, caller }, input) => engine.deleteTranscript(caller, input),
  rest: {
    at: 'DELETE /workspaces/{workspace}/sessions/{session}',
    summary: 'Delete a transcript of your own workspace',
    answers: { 200: 'Deleted. It is purged when keep_deleted_days are over.' },
  },
});

export const searchTranscripts = defineVerb<SearchTranscriptsInput, SessionMatches>({
  needs: 'read',
  input: {
    query: text('These characters, or with regex a pattern.', { isRequired: true, min: 1, max: 1000 }),
    workspace: label('Only this workspace.'),
    regex: flag('The query is a regular expression, without back references and look-around.'),
    case_sensitive: flag('Tell capital letters from small ones.'),
    after: time('Sessions that began at or after this time.'),
    before: time('Sessions that began before this time.'),
    limit: integer(1, 100, 'How many lines; 20 by default. All matches of a piece of a transcript come together.'),
    cursor,
  },
  run: ({ engine, caller }, input) => engine.searchTranscripts(caller, input),
  rest: {
    at: 'GET /transcripts/search',
    summary: 'Find lines of transcripts by their characters or a pattern, tool output included',
    headers: ['X-Time-Zone'],
    example: { path: '/transcripts/search?query=ECONNREFUSED' },
    answers: { 200: 'Lines with their numbers. A search ends after five seconds and says where to go on.' },
  },
});

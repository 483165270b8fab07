import type { TranscriptFacts } from '../../../agents/transcript.ts';
import type { Kind } from '../../../engine/records/kind.ts';
import { splitPassages } from '../../../engine/records/split-passages.ts';
import { pointerName, scrubbedName } from '../../../model/chunk.ts';
import { derivedRecordId, type Instant, type RecordId } from '../../../model/ids.ts';
import type { Json } from '../../../model/json.ts';
import { hashContent, type RecordContent } from '../../../model/record.ts';

export const TRANSCRIPT = 'transcript';
export const TRANSCRIPT_PART = 'transcript_part';

/** Of one piece of a transcript, in the order of the pieces. */
export interface HeldChunk {
  sha256: string;
  bytes: number;
  lines: number;
  /** What was sent in its place, where that held secrets. */
  sent?: string;
  /** Pieces that a scrub has removed, and that this one stands for. */
  removed?: string[];
}

/** A session of an agent to the byte: its lines are pieces in a table of their own, which its body names. */
export const transcriptKind: Kind = {
  name: TRANSCRIPT,
  plural: 'transcripts',
  staysHere: true,
  code: 22,
  ownVerbs: ['store', 'update', 'delete', 'restore'],
  listPassages: ({ content }) => splitPassages(content).map((text) => ({ part: '', text })),
  derive(record) {
    const { title, firstPrompt, sha256 } = record.body;
    const content = [title, firstPrompt].filter((text) => typeof text === 'string' && text !== '').join('\n\n');
    return { ...record, title: String(title), content, contentHash: String(sha256 ?? hashContent(content)) };
  },
  findFaults: ({ workspace, body }) =>
    workspace === null || typeof body.sessionId !== 'string' || !Array.isArray(body.chunks)
      ? ['it does not say which session it is']
      : [],
  describeHit: ({ workspace, body }) => ({ workspace_id: workspace, session_id: body.sessionId ?? null, line: 0 }),
  keptDays: ({ keepTranscriptsDays }) => keepTranscriptsDays,
  holds: ({ workspace, body }) =>
    chunksIn(body).map((_, index) => partRecordId(workspace ?? '', String(body.sessionId), index)),
  chunksOf: ({ body }) =>
    chunksIn(body).flatMap(({ sha256, sent, removed = [] }) => [
      sha256,
      ...(sent === undefined ? [] : [pointerName(sent)]),
      ...removed.map(scrubbedName),
    ]),
  scrubPieces: async (record, work) => (await import('./scrub-transcript.ts')).scrubTranscript(record, work),
};

/** What people and models said in one piece of a transcript. Many, and found when asked for. */
export const transcriptPartKind: Kind = {
  name: TRANSCRIPT_PART,
  plural: 'transcript parts',
  code: 23,
  isFoundByNameOnly: true,
  partOf: TRANSCRIPT,
  staysHere: true,
  ownVerbs: ['store', 'update', 'delete', 'restore'],
  listPassages: ({ content, body }) =>
    turnsIn(body).flatMap(({ line, start, end }) =>
      splitPassages(content.slice(start, end)).map((text) => ({ part: String(line), text })),
    ),
  redactContent({ content, body }, redact) {
    const turns = turnsIn(body).map(({ line, start, end }) => ({ line, text: redact(content.slice(start, end)) }));
    const written = writeTurns(turns);
    return { content: written.content, body: { ...body, turns: written.turns } };
  },
  derive: (record) => ({ ...record, contentHash: hashContent(record.content) }),
  findFaults: ({ body }) => (Array.isArray(body.turns) ? [] : ['it does not say who said what']),
  describeHit: ({ workspace, body }, part) => ({
    workspace_id: workspace,
    session_id: body.sessionId ?? null,
    line: Number(body.firstLine ?? 0) + Number(part),
  }),
  keptDays: ({ keepTranscriptsDays }) => keepTranscriptsDays,
};

export function transcriptRecordId(workspace: string, session: string): RecordId {
  return derivedRecordId(`transcript:${workspace}/${session}`);
}

/** By its place among the pieces: a piece that has grown stays the same part. */
export function partRecordId(workspace: string, session: string, index: number): RecordId {
  return derivedRecordId(`transcript_part:${workspace}/${session}/${index}`);
}

export function chunksIn(body: RecordContent['body']): HeldChunk[] {
  if (!Array.isArray(body.chunks)) return [];
  return body.chunks.flatMap((entry) => {
    if (!Array.isArray(entry)) return [];
    const [sha256, bytes, lines, sent, removed] = entry;
    const held: HeldChunk = { sha256: String(sha256), bytes: Number(bytes), lines: Number(lines) };
    if (typeof sent === 'string') held.sent = sent;
    if (Array.isArray(removed)) held.removed = removed.map(String);
    return [held];
  });
}

export function writeChunks(chunks: readonly HeldChunk[]): Json[][] {
  return chunks.map(({ sha256, bytes, lines, sent, removed }) => [
    sha256,
    bytes,
    lines,
    ...(removed !== undefined ? [sent ?? null, removed] : sent !== undefined ? [sent] : []),
  ]);
}

interface Turn {
  line: number;
  start: number;
  end: number;
}

/** Each as its line in the piece, and where its text begins and ends. */
function turnsIn(body: RecordContent['body']): Turn[] {
  if (!Array.isArray(body.turns)) return [];
  return body.turns.flatMap((turn) =>
    Array.isArray(turn) ? [{ line: Number(turn[0]), start: Number(turn[1]), end: Number(turn[2]) }] : [],
  );
}

/** What was said, one after the other, and where each begins and ends. */
export function writeTurns(said: readonly { line: number; text: string }[]): { content: string; turns: number[][] } {
  let content = '';
  const turns = said.map(({ line, text }) => {
    const start = content.length;
    content += `${text}\n\n`;
    return [line, start, start + text.length];
  });
  return { content: content.trimEnd(), turns };
}

export function factsOf({ workspace, body }: Pick<RecordContent, 'workspace' | 'body'>): TranscriptFacts {
  const text = (name: string): string => (typeof body[name] === 'string' ? body[name] : '');
  const number = (name: string): Instant => (typeof body[name] === 'number' ? body[name] : 0);
  return {
    workspaceId: workspace ?? '',
    sessionId: text('sessionId'),
    title: text('title'),
    firstPrompt: text('firstPrompt'),
    source: text('source') || null,
    startedAt: number('startedAt'),
    endedAt: number('endedAt'),
    uploadedAt: number('uploadedAt'),
    lines: number('lines'),
    bytes: number('bytes'),
    sha256: text('sha256'),
    endsWithNewline: body.endsWithNewline !== false,
  };
}

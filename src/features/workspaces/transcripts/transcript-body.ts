import type { TranscriptFacts } from '../../../agents/transcript.ts';
import { derivedRecordId, type Instant, type RecordId } from '../../../model/ids.ts';
import type { Json } from '../../../model/json.ts';
import type { RecordContent } from '../../../model/record.ts';

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
export function turnsIn(body: RecordContent['body']): Turn[] {
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

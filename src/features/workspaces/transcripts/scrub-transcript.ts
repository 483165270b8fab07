import { createHash } from 'node:crypto';
import type { PieceScrubbing, ScrubbedPieces } from '../../../engine/pieces/clean-pieces.ts';
import type { RecordId } from '../../../model/ids.ts';
import type { RecordContent, StoredRecord } from '../../../model/record.ts';
import type { Redaction } from '../../../model/redaction.ts';
import { listSaid, type SaidAt, titleOf } from './make-parts.ts';
import { describeStart } from './put-transcript.ts';
import { chunksIn, type HeldChunk, partRecordId, TRANSCRIPT, writeChunks, writeTurns } from './transcript-body.ts';

const MAX_TOLD = 100;

/**
 * The pieces of a transcript without their secrets, and all that follows from them: its hash, its title, what was said. Lines stay the lines they are.
 * The names under which the pieces were sent lead to what took their place, so that whoever sends the session again sends none of it.
 */
export async function scrubTranscript(record: StoredRecord, work: PieceScrubbing): Promise<ScrubbedPieces | null> {
  const { cleaner, isApplied } = work;
  const held = chunksIn(record.body);
  const names = held.map(({ sha256 }) => sha256);
  const redactions: Redaction[] = [];
  const starts = startsOf(held);
  for await (const { index, found } of cleaner.walk(names))
    for (const { line, kind } of found.slice(0, MAX_TOLD - redactions.length))
      redactions.push({ field: TRANSCRIPT, kind, line: starts[index]! + line + 1, replaced: true });
  const isStale = names.some((name) => cleaner.isReplaced(name));
  if (redactions.length === 0 && !isStale) return null;
  if (!isApplied) return { redactions, body: null, parts: new Map() };
  return { redactions, ...(await rewrite(record, held, work)) };
}

/** The first line of each piece. */
function startsOf(held: readonly HeldChunk[]): number[] {
  let line = 0;
  return held.map(({ lines }) => {
    line += lines;
    return line - lines;
  });
}

async function rewrite(
  { workspace, body }: StoredRecord,
  held: readonly HeldChunk[],
  { cleaner, readSaid }: PieceScrubbing,
): Promise<Pick<ScrubbedPieces, 'body' | 'parts'>> {
  const session = String(body.sessionId);
  const hash = createHash('sha256');
  const now: HeldChunk[] = [];
  const parts = new Map<RecordId, (known: RecordContent) => RecordContent>();
  let [bytes, firstPrompt] = [0, ''];
  const names = held.map(({ sha256 }) => sha256);
  for await (const piece of cleaner.walk(names, { all: true })) {
    hash.update(piece.bytes);
    bytes += piece.bytes.length;
    const said = piece.isChanged || firstPrompt === '' ? listSaid({ readSaid }, piece.bytes) : [];
    firstPrompt ||= said.find(({ by }) => by === 'user')?.text ?? '';
    const before = held[piece.index]!;
    if (!piece.isChanged) {
      now.push(before);
      continue;
    }
    const sentAs = [...(before.sent === undefined ? [] : [before.sent]), ...(before.removed ?? [])];
    const kept = await cleaner.keep(piece, sentAs);
    const removed = [...new Set([before.sha256, ...sentAs])].filter((name) => name !== kept.sha256);
    now.push({ sha256: kept.sha256, bytes: kept.bytes, lines: before.lines, removed });
    const change = (known: RecordContent) => followPiece(known, { chunk: kept.sha256, said });
    parts.set(partRecordId(workspace ?? '', session, piece.index), change);
  }
  const start = readSaid === undefined ? {} : describeStart(firstPrompt, session);
  const facts = { bytes, sha256: hash.digest('hex'), chunks: writeChunks(now), scrubbed: true };
  return { body: { ...body, ...start, ...facts }, parts };
}

function followPiece(known: RecordContent, { chunk, said }: { chunk: string; said: readonly SaidAt[] }): RecordContent {
  if (said.length === 0) return { ...known, body: { ...known.body, chunk } };
  const { content, turns } = writeTurns(said);
  return { ...known, title: titleOf(said), content, body: { ...known.body, chunk, turns } };
}

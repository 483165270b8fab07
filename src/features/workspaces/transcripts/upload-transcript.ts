import { checkSessionId } from '../../../agents/transcript.ts';
import type { EngineParts } from '../../../engine/engine-parts.ts';
import { dropUnheld } from '../../../engine/maintenance/sweep-chunks.ts';
import { createPieceCleaner } from '../../../engine/pieces/clean-pieces.ts';
import type { Records } from '../../../engine/ports.ts';
import { retryConflicts } from '../../../engine/records/change-record.ts';
import type { Caller } from '../../../model/caller.ts';
import { pointerName, scrubbedName } from '../../../model/chunk.ts';
import { createCutter } from '../../../model/cut-chunks.ts';
import { EngineError } from '../../../model/errors.ts';
import type { Instant } from '../../../model/ids.ts';
import type { StoredRecord } from '../../../model/record.ts';
import { needWritable } from '../find-workspace.ts';
import { putTranscript, type UploadedTranscript } from './put-transcript.ts';
import { createTaker, replacesSecrets } from './receive-chunks.ts';
import { chunksIn, type HeldChunk, transcriptRecordId } from './transcript-body.ts';

const MAX_CHUNKS = 100_000;
const SHA256 = /^[0-9a-f]{64}$/;

export interface TranscriptRef {
  workspace: string;
  writeToken?: string;
  session: string;
}

export interface UploadPlan {
  /** Pieces that are not here yet. */
  missing: string[];
  /** The last piece of what is here: what follows it may be sent as what it has grown by. */
  open: { sha256: string; bytes: number; index: number } | null;
}

/** What of these pieces has to be sent. Those that are here stay for a day at least. */
export async function planTranscript(
  parts: EngineParts,
  caller: Caller,
  { chunks, ...ref }: TranscriptRef & { chunks: readonly string[] },
): Promise<UploadPlan> {
  const place = await needWritable(parts, caller, ref);
  checkNames(chunks);
  const there = await findHeld(parts, caller, place, chunks);
  const known = await findTranscript(parts, caller, place.key ?? '', ref.session);
  const held = known === null ? [] : chunksIn(known.body);
  const last = held.at(-1);
  const isAsSent = last !== undefined && last.sent === undefined && last.removed === undefined;
  const isUsable = isAsSent && (await findHeld(parts, caller, place, [last.sha256])).has(last.sha256);
  const open = isUsable ? { ...last, index: held.length - 1 } : null;
  return {
    missing: [...new Set(chunks)].filter((name) => !there.has(name)),
    open: open && { sha256: open.sha256, bytes: open.bytes, index: open.index },
  };
}

function checkNames(chunks: readonly string[]): void {
  const isSound = Array.isArray(chunks) && chunks.length <= MAX_CHUNKS && chunks.every((name) => SHA256.test(name));
  if (!isSound)
    throw new EngineError('invalid_input', 'The pieces must be a list of SHA-256 hashes.', {
      details: { field: 'chunks' },
    });
}

async function findTranscript(
  { store }: { store: Records },
  { space }: Caller,
  workspace: string,
  session: string,
): Promise<StoredRecord | null> {
  const [record = null] = await store.getRecords(space, [transcriptRecordId(workspace, checkSessionId(session))]);
  return record;
}

export interface FinishInput extends TranscriptRef {
  chunks: readonly string[];
  startedAt?: Instant;
  source?: string;
}

/** Makes a transcript of pieces that are all here. One that has grown takes the place of what there was; one that says something else is kept beside it. */
export async function finishTranscript(
  parts: EngineParts,
  caller: Caller,
  { chunks, startedAt, source, ...ref }: FinishInput,
): Promise<UploadedTranscript> {
  const place = await needWritable(parts, caller, ref);
  checkNames(chunks);
  checkSessionId(ref.session);
  return retryConflicts(async () => {
    const known = await findTranscript(parts, caller, place.key ?? '', ref.session);
    const resolved = await resolveChunks(parts, caller, place, chunks);
    const held = known?.body.scrubbed === true ? await cleanHeld(parts, caller, resolved) : resolved;
    return putTranscript(parts, caller, { place, session: ref.session, held, known, startedAt, source });
  });
}

/** Of these pieces those that this workspace may use, each with what is kept of it. Where secrets are replaced, only what has been looked through counts. */
async function findHeld(
  parts: EngineParts,
  { space }: Caller,
  place: StoredRecord,
  names: readonly string[],
): Promise<Map<string, HeldChunk>> {
  const { store, clock } = parts;
  const redacts = replacesSecrets(parts, place);
  const found = new Map((await store.chunks.find(space, names, clock.now())).map((one) => [one.sha256, one]));
  const held = new Map<string, HeldChunk>();
  const open: string[] = [];
  for (const name of new Set(names)) {
    const one = found.get(name);
    if (one !== undefined && one.alias === null && (!redacts || one.clean))
      held.set(name, { sha256: name, bytes: one.bytes, lines: one.lines });
    else open.push(name);
  }
  if (open.length === 0) return held;
  const pointing = [...open.map(scrubbedName), ...(redacts ? open.map(pointerName) : [])];
  const pointers = new Map((await store.chunks.find(space, pointing, clock.now())).map((one) => [one.sha256, one]));
  const aliases = [...pointers.values()].flatMap(({ alias }) => alias ?? []);
  const there = new Set((await store.chunks.find(space, aliases, clock.now())).map(({ sha256 }) => sha256));
  for (const name of open) {
    const scrubbed = pointers.get(scrubbedName(name));
    const one = scrubbed ?? (redacts ? pointers.get(pointerName(name)) : undefined);
    if (one?.alias == null || !there.has(one.alias)) continue;
    const { alias: sha256, bytes, lines } = one;
    held.set(name, { sha256, bytes, lines, ...(one === scrubbed ? { removed: [name] } : { sent: name }) });
  }
  return held;
}

async function resolveChunks(
  parts: EngineParts,
  caller: Caller,
  place: StoredRecord,
  names: readonly string[],
): Promise<HeldChunk[]> {
  const held = await findHeld(parts, caller, place, names);
  const missing = names.filter((name) => !held.has(name)).length;
  if (missing > 0)
    throw new EngineError('conflict', `${missing} pieces of this transcript are not here yet.`, {
      hint: 'Ask for what is missing, and send it.',
      details: { missing },
    });
  return names.map((name) => held.get(name)!);
}

export interface UploadTranscriptInput extends TranscriptRef {
  content: AsyncIterable<Uint8Array>;
  startedAt?: Instant;
  source?: string;
}

/** A whole transcript, cut here: a piece of it in memory at a time. */
export async function uploadTranscript(
  parts: EngineParts,
  caller: Caller,
  { content, ...input }: UploadTranscriptInput,
): Promise<UploadedTranscript> {
  const place = await needWritable(parts, caller, input);
  checkSessionId(input.session);
  const cutter = createCutter();
  const taker = createTaker(parts, caller, place);
  const chunks: string[] = [];
  for await (const bytes of content)
    for (const one of cutter.push(bytes)) chunks.push(await taker.takeBytes(one.bytes));
  for (const one of cutter.end()) chunks.push(await taker.takeBytes(one.bytes));
  await taker.end();
  return finishTranscript(parts, caller, { ...input, chunks });
}

/** A session that was scrubbed once stays without secrets, whatever is wanted of others: what it has grown by would bring them back. */
async function cleanHeld(parts: EngineParts, { space }: Caller, held: readonly HeldChunk[]): Promise<HeldChunk[]> {
  const { redactLines } = await import('../../../privacy/redact-lines.ts');
  const cleaner = createPieceCleaner(parts, space, redactLines);
  const names = held.map(({ sha256 }) => sha256);
  const facts = await parts.store.chunks.find(space, names);
  if (facts.every(({ clean }) => clean)) return [...held];
  const cleaned = [...held];
  const gone: string[] = [];
  for await (const piece of cleaner.walk(names)) {
    if (!piece.isChanged) continue;
    const { removed = [], lines } = held[piece.index]!;
    const { sha256, bytes } = await cleaner.keep(piece, removed);
    cleaned[piece.index] = { sha256, bytes, lines, removed: [...new Set([piece.was, ...removed])] };
    gone.push(piece.was);
  }
  await dropUnheld(parts, space, gone);
  return cleaned;
}

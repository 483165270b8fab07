import { createHash } from 'node:crypto';
import type { TranscriptFacts } from '../../../agents/transcript.ts';
import type { EngineParts } from '../../../engine/engine-parts.ts';
import type { Records } from '../../../engine/ports.ts';
import { passagesOf } from '../../../engine/records/kind.ts';
import { actorOf } from '../../../engine/records/origin.ts';
import { contentOf, createChange, updateChange } from '../../../engine/records/record-changes.ts';
import { makeContent } from '../../../engine/records/store-record.ts';
import type { Caller } from '../../../model/caller.ts';
import type { Change } from '../../../model/change.ts';
import type { Instant } from '../../../model/ids.ts';
import type { StoredRecord } from '../../../model/record.ts';
import { originIn } from '../find-workspace.ts';
import { bodyOf } from '../workspace-kind.ts';
import { createPartWriter, listSaid } from './make-parts.ts';
import { readChunks } from './read-chunks.ts';
import {
  chunksIn,
  factsOf,
  type HeldChunk,
  partRecordId,
  TRANSCRIPT,
  transcriptRecordId,
  writeChunks,
} from './transcript-body.ts';

const NEWLINE = 0x0a;
const MAX_TITLE_CHARS = 100;
const MAX_PROMPT_CHARS = 2000;

export interface UploadedTranscript extends TranscriptFacts {
  /** duplicate: the same, or more of it, is here already. */
  status: 'stored' | 'duplicate' | 'replaced';
}

interface TranscriptPut {
  place: StoredRecord;
  session: string;
  held: readonly HeldChunk[];
  known: StoredRecord | null;
  startedAt?: Instant | undefined;
  source?: string | undefined;
}

/** Null: somebody else was faster. */
export async function putTranscript(
  parts: EngineParts,
  caller: Caller,
  put: TranscriptPut,
): Promise<UploadedTranscript | null> {
  const { place, session, held, known } = put;
  const live = known !== null && known.deletedAt === null ? known : null;
  if (live !== null && holdsAll(chunksIn(live.body), held)) return { ...factsOf(live), status: 'duplicate' };
  const read = await readThrough(parts, caller, put);
  if (live !== null && read.sha256 === live.body.sha256) return { ...factsOf(live), status: 'duplicate' };
  const twin = live === null ? await findTwin(parts, caller, place.key ?? '', read.sha256) : null;
  if (twin !== null) return { ...factsOf(twin), status: 'duplicate' };
  if (
    live !== null &&
    read.sha256Before === null &&
    read.bytes < Number(live.body.bytes) &&
    (await isPrefix(parts, caller, live, held))
  )
    return { ...factsOf(live), status: 'duplicate' };
  const { project, tool } = bodyOf(place);
  const now = parts.clock.now();
  const { sha256Before, ...facts } = read;
  const content = makeContent(parts.kinds.need(TRANSCRIPT), now, {
    createdAt: facts.startedAt,
    workspace: place.key,
    project: project.slice(0, 200),
    agent: tool.slice(0, 200),
    session,
    ...originIn(caller, place),
    body: {
      sessionId: session,
      ...facts,
      uploadedAt: now,
      chunks: writeChunks(held),
      ...(known?.body.scrubbed === true && { scrubbed: true }),
    },
  });
  const id = transcriptRecordId(place.key ?? '', session);
  const changes: Change[] = [];
  if (live !== null && sha256Before === null) changes.push(...keepAside(parts, live));
  if (known !== null && known.deletedAt !== null) changes.push({ op: 'restore', id, at: now });
  const options = { passages: passagesOf(parts.kinds.need(TRANSCRIPT), content), vectors: [], unlessDuplicate: false };
  const revision = (known?.revision ?? 0) + (known !== null && known.deletedAt !== null ? 1 : 0);
  changes.push(
    known === null
      ? createChange(id, content, options)
      : { ...updateChange({ ...known, revision }, content, options), isDerived: true },
  );
  const { outcome } = await parts.store.commit(caller.space, changes, actorOf(caller));
  if (outcome !== 'committed') return null;
  if (known !== null) await dropParts(parts, caller, { place, session, known, held });
  return { ...factsOf(content), status: live === null ? 'stored' : 'replaced' };
}

/** Whether these are the same pieces, or the first of them. */
function holdsAll(there: readonly HeldChunk[], held: readonly HeldChunk[]): boolean {
  return held.length <= there.length && held.every(({ sha256 }, i) => there[i]?.sha256 === sha256);
}

/** Whether what is here begins with these pieces, of which the last may be cut anywhere. */
async function isPrefix(
  parts: EngineParts,
  caller: Caller,
  live: StoredRecord,
  held: readonly HeldChunk[],
): Promise<boolean> {
  const there = chunksIn(live.body);
  const last = held.length - 1;
  if (!holdsAll(there, held.slice(0, -1)) || there[last] === undefined || held[last] === undefined) return false;
  const whole: Buffer[] = [];
  for await (const { bytes } of readChunks(parts, caller.space, { chunks: [there[last], held[last]] }))
    whole.push(bytes);
  return whole[0]!.subarray(0, whole[1]!.length).equals(whole[1]!);
}

async function findTwin(
  { store }: { store: Records },
  { space }: Caller,
  workspace: string,
  sha256: string,
): Promise<StoredRecord | null> {
  const filter = { kinds: [TRANSCRIPT], workspace, contentHash: sha256, includeSuperseded: true };
  return (await store.listRecords(space, filter, { limit: 1, total: false })).items[0] ?? null;
}

/** The transcript that another takes the place of without going on from it, under a name of its own. Its pieces are shared as far as they are the same. */
function keepAside(parts: EngineParts, live: StoredRecord): Change[] {
  const session = `${String(live.body.sessionId)}~${String(live.body.sha256).slice(0, 8)}`;
  const content = parts.kinds.need(TRANSCRIPT).derive({
    ...contentOf(live),
    session: session.slice(0, 200),
    body: { ...live.body, sessionId: session },
  });
  const id = transcriptRecordId(live.workspace ?? '', session);
  const passages = passagesOf(parts.kinds.need(TRANSCRIPT), content);
  return [createChange(id, content, { passages, vectors: [], unlessDuplicate: false })];
}

/** What was said in pieces that the transcript no longer has. */
async function dropParts(
  parts: EngineParts,
  caller: Caller,
  { place, session, known, held }: Pick<TranscriptPut, 'place' | 'session' | 'held'> & { known: StoredRecord },
): Promise<void> {
  const ids = chunksIn(known.body)
    .map((_, index) => partRecordId(place.key ?? '', session, index))
    .slice(held.length);
  const there = (await parts.store.getRecords(caller.space, ids)).filter(({ deletedAt }) => deletedAt === null);
  if (there.length === 0) return;
  const at = parts.clock.now();
  const changes = there.map(({ id }) => ({ op: 'delete', id, at }) as const);
  await parts.store.commit(caller.space, changes, actorOf(caller));
}

interface ReadThrough extends Omit<TranscriptFacts, 'workspaceId' | 'sessionId' | 'uploadedAt'> {
  /** The hash at the place where the transcript that is here ends; null: this one does not go on from there. */
  sha256Before: string | null;
}

/** All of it once: its hash, what it is about, and what was said in pieces that are new. */
async function readThrough(parts: EngineParts, caller: Caller, put: TranscriptPut): Promise<ReadThrough> {
  const { place, session, held, known, source } = put;
  const now = parts.clock.now();
  const before = known === null ? [] : firstLinesOf(chunksIn(known.body));
  const hash = createHash('sha256');
  const knownBytes = Number(known?.body.bytes ?? 0);
  let [bytes, lines, lastByte] = [0, 0, NEWLINE];
  let sha256Before: string | null = null;
  let [firstAt, lastAt]: (Instant | null)[] = [null, null];
  let firstPrompt = '';
  const writer = createPartWriter(parts, caller, { place, session, startedAt: put.startedAt ?? now, now });
  for await (const { bytes: piece, index } of readChunks(parts, caller.space, { chunks: held })) {
    if (knownBytes > bytes && knownBytes <= bytes + piece.length)
      sha256Before = hash
        .copy()
        .update(piece.subarray(0, knownBytes - bytes))
        .digest('hex');
    hash.update(piece);
    const chunk = held[index]!.sha256;
    const [chunkBefore, firstBefore] = before[index] ?? [];
    const isNew = chunkBefore !== chunk || firstBefore !== lines;
    const isTelling = isNew || firstPrompt === '' || index === held.length - 1;
    const said = isTelling ? listSaid(parts, piece) : [];
    firstPrompt ||= said.find(({ by }) => by === 'user')?.text ?? '';
    firstAt ??= said.find(({ at }) => at !== null)?.at ?? null;
    lastAt = said.findLast(({ at }) => at !== null)?.at ?? lastAt;
    if (isNew) await writer.add({ chunk, index, firstLine: lines, said });
    bytes += piece.length;
    lines += held[index]!.lines;
    lastByte = piece.at(-1) ?? lastByte;
  }
  await writer.flush();
  const endsWithNewline = lastByte === NEWLINE;
  const startedAt = put.startedAt ?? firstAt ?? now;
  return {
    ...describeStart(firstPrompt, session),
    source: source ?? null,
    startedAt,
    endedAt: Math.max(startedAt, lastAt ?? startedAt),
    lines: lines + (endsWithNewline ? 0 : 1),
    bytes,
    sha256: hash.digest('hex'),
    endsWithNewline,
    sha256Before: sha256Before === known?.body.sha256 ? sha256Before : null,
  };
}

/** What a session is about, by how it began. */
export function describeStart(firstPrompt: string, session: string): { title: string; firstPrompt: string } {
  return {
    title: firstPrompt.split('\n', 1)[0]!.slice(0, MAX_TITLE_CHARS).toWellFormed() || session,
    firstPrompt: firstPrompt.slice(0, MAX_PROMPT_CHARS).toWellFormed(),
  };
}

function firstLinesOf(chunks: readonly HeldChunk[]): [string, number][] {
  let line = 0;
  return chunks.map(({ sha256, lines }) => {
    const first: [string, number] = [sha256, line];
    line += lines;
    return first;
  });
}

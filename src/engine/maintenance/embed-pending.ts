import type { Caller } from '../../model/caller.ts';
import type { Change } from '../../model/change.ts';
import { EngineError } from '../../model/errors.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { EmbedderId, IndexEntry } from '../../model/passage.ts';
import { learnDimensions } from '../../search/embed-within.ts';
import type { SpaceIndexes } from '../../search/space-indexes.ts';
import { quantise } from '../../search/vectors/quantise.ts';
import { authorize } from '../authorize.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { Embedder, Passages } from '../ports.ts';
import { describeSilence, EMBEDDER_PROBLEM } from '../tally.ts';

/** Listed at once: looking for what lacks vectors passes by all that has them. */
const PAGE = 2048;
const BATCH = 64;
/** Alone in a call, this many in a row fail: it is the embedder and not the texts. */
const GIVE_UP_AFTER = 3;
const FIRST_ANSWER_MS = 60_000;

export interface EmbedWork {
  space: SpaceId;
  /** Asked before each batch; false stops the work, which goes on in a later round where it was left. */
  goOn: () => Promise<boolean>;
  /** Memories done so far. */
  onProgress?: (done: number) => void;
}

interface Embedded {
  /** Memories that were done. */
  embedded: number;
  /** False: some are left for a later round. */
  complete: boolean;
}

/** Gives vectors to memories that lack them; each batch is a commit of its own. */
export async function embedPending(parts: EngineParts, { space, goOn, onProgress }: EmbedWork): Promise<Embedded> {
  const { store, embedder } = parts;
  if (embedder === null) return { embedded: 0, complete: true };
  const silence = await learnDimensions(embedder, FIRST_ANSWER_MS);
  if (silence !== null) {
    parts.tally.problems.set(EMBEDDER_PROBLEM, describeSilence(silence));
    return { embedded: 0, complete: false };
  }
  const failed = new Set<RecordId>();
  let done = 0;
  for (;;) {
    const listed = await store.listUnembedded(space, embedder.id, PAGE + failed.size);
    const ids = listed.filter((id) => !failed.has(id));
    if (ids.length === 0) break;
    for (let start = 0; start < ids.length; start += BATCH) {
      if (!(await goOn())) return { embedded: done, complete: false };
      const embedded = await embedBatch(parts, embedder, { space, ids: ids.slice(start, start + BATCH), failed });
      if (embedded === null) return { embedded: done, complete: false };
      done += embedded;
      onProgress?.(done);
    }
  }
  if (done > 0 || failed.size === 0) parts.tally.problems.delete(EMBEDDER_PROBLEM);
  const own = `${EMBEDDER_PROBLEM}:${space}`;
  const message = `${failed.size} memories could not be embedded and are found by their words only.`;
  if (failed.size === 0) parts.tally.problems.delete(own);
  else parts.tally.problems.set(own, { space, message });
  return { embedded: done, complete: failed.size === 0 };
}

interface Batch {
  space: SpaceId;
  ids: readonly RecordId[];
  failed: Set<RecordId>;
}

/** Null: the embedder is down. */
async function embedBatch(
  parts: EngineParts,
  embedder: Embedder,
  { space, ids, failed }: Batch,
): Promise<number | null> {
  const { store } = parts;
  const entries = (await store.readIndexEntries(space, ids)).filter((entry) => lacking(entry, embedder).length > 0);
  if (entries.length === 0) return 0;
  const changes = await embedEntries(parts, embedder, entries);
  if (changes === null) return null;
  const committed = changes.length === 0 ? null : await store.commit(space, changes, 'job:embed');
  if (committed?.outcome === 'conflict')
    throw new EngineError('conflict', 'Vectors could not be added.', {
      details: { reason: committed.conflict.reason },
    });
  const embedded = new Set(changes.map((change) => (change.op === 'embed' ? change.id : '')));
  for (const { id } of entries) if (!embedded.has(id)) failed.add(id);
  return changes.length;
}

/** One call for all; where it fails, one for each, so that a single bad text holds up nobody. Null: the embedder is down. */
async function embedEntries(
  parts: EngineParts,
  embedder: Embedder,
  entries: readonly IndexEntry[],
): Promise<Change[] | null> {
  const together = await tryEmbed(parts, embedder, entries);
  if (together !== null) return together;
  const changes: Change[] = [];
  let inARow = 0;
  for (const entry of entries) {
    const alone = entries.length === 1 ? null : await tryEmbed(parts, embedder, [entry]);
    inARow = alone === null ? inARow + 1 : 0;
    if (inARow >= GIVE_UP_AFTER && changes.length === 0) return null;
    changes.push(...(alone ?? []));
  }
  return changes;
}

async function tryEmbed(
  parts: EngineParts,
  embedder: Embedder,
  entries: readonly IndexEntry[],
): Promise<Change[] | null> {
  const wanted = entries.map((entry) => ({ entry, passages: lacking(entry, embedder) }));
  try {
    const vectors = await embedder.embed(
      wanted.flatMap(({ passages }) => passages.map((passage) => passage.text)),
      'passage',
    );
    let next = 0;
    return wanted.map(({ entry, passages }) => ({
      op: 'embed',
      id: entry.id,
      revision: entry.record?.revision ?? 0,
      vectors: passages.map(({ ordinal }) => ({ embedder: embedder.id, ordinal, ...quantise(vectors[next++]!) })),
    }));
  } catch (error) {
    if (!(error instanceof EngineError && error.code === 'embedder_failed')) throw error;
    parts.tally.problems.set(EMBEDDER_PROBLEM, describeSilence(error.message));
    return null;
  }
}

function lacking(entry: IndexEntry, embedder: Embedder) {
  const there = new Set(
    entry.vectors.filter((vector) => vector.embedder === embedder.id).map((vector) => vector.ordinal),
  );
  return entry.passages.filter((passage) => !there.has(passage.ordinal));
}

/** Removes the vectors of embedders that are not used any more, in all of the caller's spaces. Returns how many. */
export async function dropVectors(
  { store, embedder, indexes }: { store: Passages; embedder: Embedder | null; indexes: SpaceIndexes },
  caller: Caller,
  embedders: readonly EmbedderId[],
): Promise<number> {
  let dropped = 0;
  for (const space of caller.spaces) {
    authorize(caller, 'admin', space);
    const used = [embedder?.id, (await indexes.embedderOf(space))?.id];
    const wanted = embedders.find((id) => used.includes(id));
    if (wanted !== undefined)
      throw new EngineError('conflict', `The vectors of ${wanted} are in use.`, {
        hint: 'Change the embedder first, and let the new one catch up.',
      });
    for (const id of embedders) dropped += await store.dropVectors(space, id);
  }
  return dropped;
}

import { unpackChunk } from '../../../engine/pieces/pack-chunk.ts';
import type { Pieces } from '../../../engine/ports.ts';
import type { SpaceId } from '../../../model/ids.ts';
import type { HeldChunk } from './transcript-body.ts';

/** Chunks that are read ahead: some megabytes at most. */
const AT_ONCE = 8;

/** The bytes of these pieces, one after the other, from one of them on; a few of them in memory at a time. */
export async function* readChunks(
  { store }: { store: Pieces },
  space: SpaceId,
  { chunks, from = 0 }: { chunks: readonly HeldChunk[]; from?: number },
): AsyncGenerator<{ bytes: Buffer; index: number }> {
  for (let at = from; at < chunks.length; at += AT_ONCE) {
    const some = chunks.slice(at, at + AT_ONCE).map(({ sha256 }) => sha256);
    const found = await store.chunks.read(space, some);
    for (const [i, chunk] of found.entries()) yield { bytes: await unpackChunk(chunk), index: at + i };
  }
}

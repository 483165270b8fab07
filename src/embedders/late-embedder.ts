import type { Embedder } from '../engine/ports.ts';

/** Stands for an embedder that cannot be opened now: each text is another try, and why it fails reaches whoever wanted the vector. */
export function createLateEmbedder(name: string, open: () => Promise<Embedder>): Embedder {
  let opened: Embedder | null = null;
  return {
    get id() {
      return opened?.id ?? `${name}:unknown`;
    },
    get dimensions() {
      return opened?.dimensions ?? 0;
    },
    async embed(texts, purpose) {
      opened ??= await open();
      return opened.embed(texts, purpose);
    },
    async close() {
      await opened?.close();
    },
  };
}

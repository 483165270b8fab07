import type { Clock, Embedder, Log, Sharing, Store } from './ports.ts';
import type { Kind } from './records/kind.ts';

/** What an engine is made of. */
export interface EnginePorts {
  store: Store;
  /** null: text search alone. */
  embedder: Embedder | null;
  /** The one before it was changed: searches use it while more passages have its vectors. */
  previousEmbedder?: Embedder | null;
  clock: Clock;
  log: Log;
  /** The kinds of records there are; absent: those of the product. */
  kinds?: readonly Kind[];
  /** Absent: no teams by name, nothing can be published. */
  sharing?: Sharing;
}

import type { SpaceId } from '../../model/ids.ts';
import type { SegmentId } from '../../model/segment.ts';
import type { Body } from './part.ts';

type ReadBody = (space: SpaceId, id: SegmentId) => Promise<Body | null>;

/** How many are remembered by name; what they hold is the garbage collector's. */
const MAX_NAMES = 256;

/**
 * Where an index does not fit its budget, every step of a search reads the same words and vectors anew. What one step has read the next ones find
 * here, as long as nothing else needs the memory: nothing is held.
 */
export function rememberBodies(read: ReadBody): ReadBody {
  const bodies = new Map<string, WeakRef<Body>>();
  return async (space, id) => {
    const name = JSON.stringify([space, id]);
    const kept = bodies.get(name)?.deref();
    if (kept !== undefined) return kept;
    const body = await read(space, id);
    bodies.delete(name);
    if (body !== null) bodies.set(name, new WeakRef(body));
    if (bodies.size > MAX_NAMES) bodies.delete(bodies.keys().next().value!);
    return body;
  };
}

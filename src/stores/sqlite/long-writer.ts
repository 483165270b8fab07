import { type Connection, IN_MEMORY, openConnection } from './connection.ts';
import { translateError } from './translate-error.ts';

/**
 * A second connection to the same file, for one transaction that goes on over several turns of the event loop: what is read meanwhile, on the first, sees
 * nothing of it. Null where there can be only one, or none can be opened just now: the write is then done in one go.
 */
export function openLongWriter({ path, isAlone }: Connection): Connection | null {
  if (path === IN_MEMORY || isAlone) return null;
  try {
    const own = openConnection(path);
    if (!own.isAlone) return own;
    own.close();
    return null;
  } catch (error) {
    if (translateError(error).code === 'internal') throw error;
    return null;
  }
}

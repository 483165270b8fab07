import { authorize } from '../../engine/authorize.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import { readPages, spacesOf } from '../../engine/records/find-records.ts';
import type { Caller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import { isPacketIdBeginning } from '../../model/ids.ts';
import { packetKind, summarisePacket } from './packet-kind.ts';

const ULID_CHARS = 26;
const PAGE = 100;
/** Packets looked at in a space, the last received first. */
const MAX_LOOKED_AT = 5000;
const MAX_NAMED = 5;

/**
 * The id of the one packet that the caller can see whose id begins so; null where there is none. Only ids that are ULIDs have a beginning: others are words,
 * where the whole of one may be the beginning of another.
 */
export async function completePacketId(parts: EngineParts, caller: Caller, beginning: string): Promise<string | null> {
  if (!isPacketIdBeginning(beginning)) return null;
  const wanted = beginning.toUpperCase();
  const found = new Set<string>();
  for (const space of spacesOf(caller)) {
    authorize(caller, 'read', space);
    let looked = 0;
    for await (const { items } of readPages(parts.store, space, {
      filter: { kinds: [packetKind.name] },
      limit: PAGE,
    })) {
      for (const { id } of items.map(summarisePacket))
        if (id.length === ULID_CHARS && id.toUpperCase().startsWith(wanted) && isPacketIdBeginning(id.slice(1)))
          found.add(id);
      looked += items.length;
      if (looked >= MAX_LOOKED_AT) break;
    }
  }
  if (found.size <= 1) return [...found][0] ?? null;
  const named = [...found].slice(0, MAX_NAMED);
  throw new EngineError(
    'conflict',
    `${found.size} ids begin with ${beginning}: ${named.join(', ')}${named.length < found.size ? ' …' : ''}.`,
    { hint: 'Give more of the id.', details: { ref: beginning, candidates: named.join(' ') } },
  );
}

import { authorize } from '../../engine/authorize.ts';
import type { Caller } from '../../model/caller.ts';
import { passOver } from '../../model/damage.ts';
import { stateOf } from '../../model/held-record.ts';
import type { Dot, Instant, RecordId } from '../../model/ids.ts';
import { hashContent, type RecordKind } from '../../model/record.ts';
import { isDeleted, listTexts } from '../../model/shared-state.ts';
import type { Replication } from '../../model/travel-port.ts';

/** What two replicas did with one record without knowing of each other, and nobody has looked at since. */
export interface Fork {
  id: RecordId;
  kind: RecordKind;
  /** `texts`: the later shows. `deleted`: it was changed elsewhere and is deleted; a restore brings the changed text. */
  what: 'texts' | 'deleted';
  /** The text that shows first. */
  texts: { dot: Dot; writtenAt: Instant; content: string }[];
}

const PAGE = 500;

/** Of the caller's space; an edit that has seen all texts resolves it. */
export async function listForks({ store }: { store: Replication }, caller: Caller): Promise<Fork[]> {
  const { space } = caller;
  authorize(caller, 'read', space);
  const found: Fork[] = [];
  for (let after: RecordId | null = null; ; ) {
    const ids: RecordId[] = await store.listHeldIds(space, { after, limit: PAGE });
    const stamps = await store.readStamps(space, ids);
    const marked = ids.filter((id) => stamps.get(id)?.includes('"text":'));
    for (const held of await store.readHeld(space, marked, { note: passOver })) {
      const state = stateOf(held);
      if (held.record === null || state === null) continue;
      const texts = listTexts(state).filter(({ gone }) => gone !== true);
      const distinct = new Set(texts.map(({ content }) => hashContent(String(content))));
      const newest = Math.max(0, ...Object.values(state.parts.deletion ?? {}).map(({ time }) => time));
      const isLost = isDeleted(state) && texts.some(({ time }) => time > newest);
      if (distinct.size < 2 && !isLost) continue;
      found.push({
        id: held.id,
        kind: held.record.kind,
        what: isDeleted(state) ? 'deleted' : 'texts',
        texts: texts.map(({ dot, time, content }) => ({ dot, writtenAt: time, content: String(content) })),
      });
    }
    after = ids.at(-1) ?? null;
    if (ids.length < PAGE) return found;
  }
}

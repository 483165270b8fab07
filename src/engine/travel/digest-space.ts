import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { canonicalJson } from '../../model/canonical-json.ts';
import { passOver } from '../../model/damage.ts';
import { type HeldRecord, stateOf } from '../../model/held-record.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { EngineParts } from '../engine-parts.ts';
import { tellable } from './travel-line.ts';

const PAGE = 500;

export interface Digest {
  digest: string;
  /** How much it covers. */
  records: number;
  graves: number;
}

/** Of what has been exchanged: equal ones mean that both sides hold the same. */
export async function digestSpace(
  { store, kinds }: Pick<EngineParts, 'store' | 'kinds'>,
  space: SpaceId,
  projects: readonly string[] | undefined,
): Promise<Digest> {
  const hash = createHash('sha256');
  const counted = { records: 0, graves: 0 };
  for (let after: RecordId | null = null; ; await nextTurn()) {
    const ids: RecordId[] = await store.listHeldIds(space, { after, limit: PAGE });
    for (const held of await store.readHeld(space, ids, { note: passOver, versions: false })) {
      const told = tellable(held, { kinds, projects });
      const line = describe(told);
      if (line === null) continue;
      if (told.record !== null) counted.records++;
      if (held.buried > 0) counted.graves++;
      hash.update(`${line}\n`);
    }
    after = ids.at(-1) ?? null;
    if (ids.length < PAGE) return { digest: hash.digest('hex').slice(0, 32), ...counted };
  }
}

function describe(held: HeldRecord): string | null {
  const state = stateOf(held);
  if (state === null) return held.buried === 0 ? null : canonicalJson([held.id, held.buried]);
  const parts = Object.entries(state.parts).flatMap(([name, some]) => Object.keys(some).map((dot) => `${name}@${dot}`));
  return canonicalJson([held.id, held.buried, state.generation, state.seen, parts.sort()]);
}

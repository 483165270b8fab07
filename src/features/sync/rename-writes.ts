import type { EngineParts } from '../../engine/engine-parts.ts';
import type { Clock, Commits } from '../../engine/ports.ts';
import { retryConflicts } from '../../engine/records/change-record.ts';
import { type KindTable, passagesOf } from '../../engine/records/kind.ts';
import { passOver } from '../../model/damage.ts';
import { stateOf } from '../../model/held-record.ts';
import type { Dot, RecordId, ReplicaId, Sequence, SpaceId } from '../../model/ids.ts';
import { planState } from '../../model/plan-take.ts';
import { type Field, numberOf, type Parts, replicaOf, type SharedState } from '../../model/shared-state.ts';
import type { Replication } from '../../model/travel-port.ts';

interface Renaming {
  before: ReplicaId;
  /** Writes up to this number keep their name. */
  after: Sequence;
  replica: ReplicaId;
}

const PAGE = 500;

/** Gives the writes of a replica after a number to another. */
export async function renameWrites(parts: EngineParts, space: SpaceId, renaming: Renaming): Promise<void> {
  const ids = new Set<RecordId>();
  for (let seq = renaming.after; ; ) {
    const page = await parts.store.changesAfter(space, seq, PAGE, passOver);
    for (const { id } of page) ids.add(id);
    seq = page.at(-1)?.seq ?? seq;
    if (page.length < PAGE) break;
  }
  for (const id of ids) await renameIn(parts, space, id, renaming);
}

async function renameIn(
  { store, kinds, clock }: { store: Commits & Replication; kinds: KindTable; clock: Clock },
  space: SpaceId,
  id: RecordId,
  renaming: Renaming,
): Promise<void> {
  await retryConflicts(async () => {
    const [held] = await store.readHeld(space, [id], { note: passOver });
    const state = held === undefined ? null : stateOf(held);
    if (held === undefined || state === null || (state.seen[renaming.before] ?? 0) <= renaming.after)
      return 'as it was';
    const take = planState(held, {
      state: renameState(state, renaming),
      incoming: { id, buried: 0, purgedAt: null, state: null, versions: [] },
      around: {
        isBuried: () => false,
        derive: (content) => kinds.find(content.kind)?.derive(content) ?? content,
        listPassages: (content) => {
          const kind = kinds.find(content.kind);
          return kind === undefined ? [{ ordinal: 0, text: content.content }] : passagesOf(kind, content);
        },
        now: clock.now(),
      },
    });
    const committed = await store.commit(space, [{ ...take, versions: [] }], 'sync');
    return committed.outcome === 'committed' ? 'renamed' : null;
  });
}

function renameState(state: SharedState, { before, after, replica }: Renaming): SharedState {
  const rename = (dot: Dot): Dot =>
    replicaOf(dot) === before && numberOf(dot) > after ? `${replica}:${numberOf(dot)}` : dot;
  const parts = Object.entries(state.parts).map(([name, some]): [string, Parts] => [
    name,
    Object.fromEntries(Object.entries(some).map(([dot, part]) => [rename(dot), part])),
  ]);
  const fields = Object.entries(state.fields).map(([name, field]): [string, Field] => [
    name,
    { ...field, dot: rename(field.dot) },
  ]);
  const { [before]: number = 0, ...seen } = state.seen;
  const kept = after > 0 ? { [before]: Math.min(number, after) } : {};
  return {
    ...state,
    seen: { ...seen, ...kept, [replica]: number },
    parts: Object.fromEntries(parts),
    fields: Object.fromEntries(fields),
  };
}

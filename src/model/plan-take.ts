import { canonicalJson } from './canonical-json.ts';
import type { Change, ImportedVersion, TakeChange } from './change.ts';
import { type HeldRecord, lastWrite, listRelationsOf, packState, showState, stateOf } from './held-record.ts';
import type { Instant, RecordId } from './ids.ts';
import { type IsBuried, lacksText, mergeHoldings } from './merge-states.ts';
import type { Passage } from './passage.ts';
import type { RecordContent } from './record.ts';
import { isDeleted, listTexts, type SharedState } from './shared-state.ts';
import { formatStamps } from './stamps.ts';

/** What another replica holds under an id, as it travels. */
export interface Incoming {
  id: RecordId;
  buried: number;
  purgedAt: Instant | null;
  state: SharedState | null;
  versions: readonly ImportedVersion[];
}

export interface TakePlan {
  /** None: all of it is here already. */
  changes: Change[];
  /** The other side lacks a text that is here. */
  isLacking: boolean;
}

export interface TakeSurroundings {
  isBuried: IsBuried;
  /** With what follows from the rest of it, by its kind. */
  derive(content: RecordContent): RecordContent;
  listPassages(content: RecordContent): readonly Passage[];
  now: Instant;
}

/** The changes after which this replica holds what both held. */
export function planTake(here: HeldRecord, incoming: Incoming, around: TakeSurroundings): TakePlan {
  const { id } = here;
  const ours = stateOf(here);
  const { buried, state } = mergeHoldings({ buried: here.buried, state: ours }, incoming, around.isBuried);
  const changes: Change[] = [];
  if (buried > here.buried) {
    if (here.record !== null && here.record.generation <= buried)
      changes.push({ op: 'purge', id, revision: here.record.revision });
    changes.push({ op: 'bury', grave: { id, generation: buried, purgedAt: incoming.purgedAt ?? around.now } });
  }
  const isLacking = lacksText(incoming.state, state);
  if (state === null) return { changes, isLacking };
  const standing: HeldRecord =
    ours?.generation === state.generation
      ? { ...here, buried }
      : { ...here, buried, record: null, stamps: null, relations: [], versions: [] };
  const take = planState(standing, { state, incoming, around });
  const known = new Set(standing.versions.map(({ record }) => record.dot));
  const isSame = ours !== null && canonicalJson(ours) === canonicalJson(state);
  if (!isSame || isLacking || take.versions.some(({ record }) => !known.has(record.dot!))) changes.push(take);
  return { changes, isLacking };
}

interface Planned {
  state: SharedState;
  incoming: Incoming;
  around: TakeSurroundings;
}

export function planState(here: HeldRecord, { state, incoming, around }: Planned): TakeChange {
  const { id, record: before } = here;
  const shown = showState(state, before?.tags);
  const take = {
    op: 'take',
    id,
    expect: { revision: before?.revision ?? null, stamps: here.stamps, buried: here.buried },
    generation: state.generation,
    relations: listRelationsOf(id, state),
    vectors: [],
  } as const;
  if (shown === null)
    return { ...take, record: null, stamps: canonicalJson(state), versions: [], relations: [], passages: [] };
  const content = around.derive(shown);
  const { dot } = lastWrite(state);
  const isKnown = before !== null && before.deletedAt !== null && before.contentHash === content.contentHash;
  // It can be restored for as long as anything that is deleted here, whenever that was elsewhere.
  const deletedAt = !isDeleted(state) ? null : isKnown ? before.deletedAt : around.now;
  const record = { ...content, id, generation: state.generation, deletedAt, dot };
  return {
    ...take,
    record,
    stamps: formatStamps(packState(state, content), record),
    versions: listEarlier(here, { state, incoming, around }, record),
    passages: around.listPassages(content),
  };
}

/** Texts that are there and do not show, or that showed here until now, and what the other side has kept. */
function listEarlier(
  { record: before, stamps, relations, versions, ...rest }: HeldRecord,
  { state, incoming, around }: Planned,
  record: NonNullable<TakeChange['record']>,
): ImportedVersion[] {
  const [shown, ...others] = listTexts(state);
  const earlier = incoming.versions.filter((version) => version.record.generation === state.generation);
  const texts = others.filter(({ gone }) => gone !== true);
  const was =
    before === null ? undefined : listTexts(stateOf({ ...rest, record: before, stamps, relations, versions })!)[0];
  const replaced: ImportedVersion[] =
    before === null || was === undefined || was.dot === shown?.dot
      ? []
      : [{ record: { ...before, dot: was.dot }, replacedAt: around.now, reason: null }];
  const open = texts
    .filter(({ dot }) => dot !== was?.dot)
    .map(({ time, dot, gone: _, ...text }): ImportedVersion => {
      const body = { ...(text.body as object), ...('metadata' in record.body && { metadata: record.body.metadata }) };
      const content = around.derive({ ...record, ...text, body } as RecordContent);
      return {
        record: { ...record, ...content, dot, space: '', revision: 1, deletedAt: null },
        replacedAt: time,
        reason: null,
      };
    });
  const all = [...replaced, ...open, ...earlier];
  return all.filter((version, i) => all.findIndex((other) => other.record.dot === version.record.dot) === i);
}

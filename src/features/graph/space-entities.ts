import { setImmediate as nextTurn } from 'node:timers/promises';
import { createFeedStates, type FeedStates } from '../../engine/feed-states.ts';
import type { StateSource } from '../../engine/keep-states.ts';
import type { Records } from '../../engine/ports.ts';
import type { KindTable } from '../../engine/records/kind.ts';
import type { FeedEntry } from '../../model/change.ts';
import { passOver } from '../../model/damage.ts';
import type { Instant, RecordId, Sequence, SpaceId } from '../../model/ids.ts';
import type { RecordContent, StoredRecord } from '../../model/record.ts';
import { createPacer } from '../../search/index/pacer.ts';
import type { Entity, EntityKind } from './entity.ts';
import { entityKind, readMerged } from './entity-kind.ts';
import { extractEntities } from './extract-entities.ts';

/** Which records name what, in one space. */
export interface SpaceEntities {
  head: Sequence;
  readonly records: Map<RecordId, Mentions>;
  readonly entities: Map<string, Mentioned>;
  /** By the key of an alias, the key of the entity that it means. */
  readonly aliases: Map<string, string>;
  readonly merged: Map<RecordId, { key: string; aliases: string[] }>;
}

interface Mentions {
  keys: string[];
  at: Instant;
  isCurrent: boolean;
}

interface Mentioned {
  kind: EntityKind;
  /** How often each way of writing it occurs. */
  names: Map<string, number>;
  ids: Set<RecordId>;
}

export type AllEntities = FeedStates<SpaceEntities>;

const PAGE = 250;
const MAX_BYTES = 128 * 1024 * 1024;
/** Of one record: its id twice, and its mentions. */
const BYTES_EACH = 400;

export function createAllEntities({ store, kinds }: StateSource): AllEntities {
  return createFeedStates(store, {
    async load(space, head) {
      const state: SpaceEntities = {
        head,
        records: new Map(),
        entities: new Map(),
        aliases: new Map(),
        merged: new Map(),
      };
      for (let after: RecordId | null = null; ; ) {
        const ids: RecordId[] = await store.listIds(space, { after, limit: PAGE });
        await read(store, kinds, { space, state, ids });
        if (ids.length < PAGE) return state;
        after = ids.at(-1)!;
        await nextTurn();
      }
    },
    apply: (space, state, entries) => apply(store, kinds, { space, state, entries }),
    bytesOf: ({ records }) => records.size * BYTES_EACH,
    maxBytes: MAX_BYTES,
  });
}

async function apply(
  store: Records,
  kinds: KindTable,
  { space, state, entries }: { space: SpaceId; state: SpaceEntities; entries: readonly FeedEntry[] },
): Promise<void> {
  const changed = new Set(
    entries.filter(({ relation, op }) => relation === null && op !== 'embedded').map(({ id }) => id),
  );
  for (const id of changed) forget(state, id);
  await read(store, kinds, { space, state, ids: [...changed] });
}

async function read(
  store: Records,
  kinds: KindTable,
  { space, state, ids }: { space: SpaceId; state: SpaceEntities; ids: readonly RecordId[] },
): Promise<void> {
  if (ids.length === 0) return;
  const pace = createPacer();
  for (const record of await store.getRecords(space, ids, passOver)) {
    await pace();
    if (record.deletedAt !== null) continue;
    if (record.kind === entityKind.name) takeMerged(state, record);
    else if (kinds.usual.includes(record.kind)) takeMentions(state, record, entitiesOf(kinds, record));
  }
}

/** What a record names: in its texts, and as its author. */
function entitiesOf(kinds: KindTable, record: RecordContent): Entity[] {
  const texts = kinds
    .find(record.kind)
    ?.listPassages(record)
    .map(({ text }) => text) ?? [record.content];
  const author = record.author === null ? '' : `\nauthor: ${record.author}`;
  return extractEntities(texts.join('\n') + author);
}

function takeMentions(state: SpaceEntities, record: StoredRecord, entities: readonly Entity[]): void {
  if (entities.length === 0) return;
  const { id, createdAt: at, supersededBy } = record;
  state.records.set(id, { keys: entities.map(({ key }) => key), at, isCurrent: supersededBy === null });
  for (const { kind, name, key } of entities) {
    const known = state.entities.get(key) ?? { kind, names: new Map(), ids: new Set() };
    known.names.set(name, (known.names.get(name) ?? 0) + 1);
    known.ids.add(id);
    state.entities.set(key, known);
  }
}

function takeMerged(state: SpaceEntities, { id, body }: StoredRecord): void {
  const { key, aliases } = readMerged(body);
  state.merged.set(id, { key, aliases });
  for (const alias of aliases) state.aliases.set(alias, key);
}

function forget(state: SpaceEntities, id: RecordId): void {
  for (const key of state.records.get(id)?.keys ?? []) {
    const known = state.entities.get(key);
    known?.ids.delete(id);
    if (known?.ids.size === 0) state.entities.delete(key);
  }
  state.records.delete(id);
  for (const alias of state.merged.get(id)?.aliases ?? []) state.aliases.delete(alias);
  state.merged.delete(id);
}

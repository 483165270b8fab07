import { setImmediate as nextTurn } from 'node:timers/promises';
import { createFeedStates, type FeedStates } from '../../engine/feed-states.ts';
import type { StateSource } from '../../engine/keep-states.ts';
import type { Records } from '../../engine/ports.ts';
import type { KindTable } from '../../engine/records/kind.ts';
import { passOver } from '../../model/damage.ts';
import type { RecordId, Sequence, SpaceId } from '../../model/ids.ts';
import type { StoredRecord } from '../../model/record.ts';
import { createPacer } from '../../search/index/pacer.ts';
import type { Statement } from './statement.ts';

/** What current records state, by project, subject and verb: what can contradict each other stands together. */
export interface SpaceStatements {
  head: Sequence;
  readonly records: Map<RecordId, string[]>;
  readonly groups: Map<string, Made[]>;
}

/** A statement, and the record that makes it. */
export interface Made {
  id: RecordId;
  statement: Statement;
}

export type AllStatements = FeedStates<SpaceStatements>;

const PAGE = 250;
const MAX_BYTES = 128 * 1024 * 1024;
const BYTES_EACH = 600;

export function createAllStatements({ store, kinds }: StateSource): AllStatements {
  const read = async (space: SpaceId, state: SpaceStatements, ids: readonly RecordId[]): Promise<void> => {
    if (ids.length > 0) await readInto(state, await store.getRecords(space, ids, passOver), kinds);
  };
  return createFeedStates(store, {
    async load(space, head) {
      const state: SpaceStatements = { head, records: new Map(), groups: new Map() };
      for (let after: RecordId | null = null; ; ) {
        const ids: RecordId[] = await store.listIds(space, { after, limit: PAGE });
        await read(space, state, ids);
        if (ids.length < PAGE) return state;
        after = ids.at(-1)!;
        await nextTurn();
      }
    },
    async apply(space, state, entries) {
      const changed = new Set(
        entries.filter(({ relation, op }) => relation === null && op !== 'embedded').map(({ id }) => id),
      );
      for (const id of changed) forget(state, id);
      await read(space, state, [...changed]);
    },
    bytesOf: ({ records }) => records.size * BYTES_EACH,
    maxBytes: MAX_BYTES,
  });
}

/** Of a few records, where those of the whole space would take too long. */
export async function readStatements(
  { store, kinds }: { store: Records; kinds: KindTable },
  space: SpaceId,
  ids: readonly RecordId[],
): Promise<SpaceStatements> {
  const state: SpaceStatements = { head: 0, records: new Map(), groups: new Map() };
  await readInto(state, await store.getRecords(space, ids, passOver), kinds);
  return state;
}

async function readInto(state: SpaceStatements, records: readonly StoredRecord[], kinds: KindTable): Promise<void> {
  // The words of seven languages: only whoever asks for contradictions needs them.
  const { parseStatements } = await import('./parse-statements.ts');
  const pace = createPacer();
  for (const record of records) {
    await pace();
    if (record.deletedAt === null && record.supersededBy === null && kinds.usual.includes(record.kind))
      take(state, record, parseStatements(record.content));
  }
}

function take(state: SpaceStatements, { id, project }: StoredRecord, statements: readonly Statement[]): void {
  if (statements.length === 0) return;
  const keys = statements.map((statement) => {
    const key = `${project ?? ''}\n${statement.subject}\n${statement.verb}`;
    const group = state.groups.get(key) ?? [];
    group.push({ id, statement });
    state.groups.set(key, group);
    return key;
  });
  state.records.set(id, keys);
}

function forget(state: SpaceStatements, id: RecordId): void {
  for (const key of state.records.get(id) ?? []) {
    const rest = (state.groups.get(key) ?? []).filter((made) => made.id !== id);
    if (rest.length === 0) state.groups.delete(key);
    else state.groups.set(key, rest);
  }
  state.records.delete(id);
}

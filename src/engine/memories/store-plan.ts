import type { Change } from '../../model/change.ts';
import type { Instant, RecordId, SpaceId } from '../../model/ids.ts';
import type { Memory, Resemblance, StoreOutcome } from '../../model/memory.ts';
import type { RecordContent, StoredRecord } from '../../model/record.ts';
import { toMemory } from '../../model/to-memory.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { MadeSearchable, SearchableMaker } from '../records/make-searchable.ts';
import {
  createChange,
  readSearchable,
  supersedeChange,
  supersedesRelation,
  updateChange,
} from '../records/record-changes.ts';
import type { NewMemory } from './new-memory.ts';

/** What one incoming memory wants written, and the answer once it is. No changes: the answer holds as things stand. */
export interface StorePlan {
  changes: Change[];
  outcome: StoreOutcome;
}

export interface Planning {
  parts: EngineParts;
  space: SpaceId;
  now: Instant;
  incoming: NewMemory;
  make: SearchableMaker;
  /** The near check follows after the commit, when the rest of the batch can be found too. */
  comparesLater?: boolean;
}

export async function planNew(
  planning: Planning,
  options: { resembles: Resemblance[]; unlessDuplicate: boolean; supersedes?: StoredRecord },
): Promise<StorePlan> {
  const { parts, space, now, incoming } = planning;
  const text = await makeOne(planning, incoming.content);
  const { id } = incoming;
  const old = options.supersedes;
  const content = old === undefined ? incoming.content : { ...incoming.content, key: incoming.content.key ?? old.key };
  const create = createChange(id, content, { ...text, unlessDuplicate: options.unlessDuplicate });
  const changes: Change[] =
    old === undefined ? [create] : [await supersedeChange(parts.store, old, { id, at: now }), create];
  if (old !== undefined) changes.push({ op: 'relate', relation: supersedesRelation(id, old.id, now) });
  const memory = newMemory(space, id, content);
  const supersedes = old === undefined ? [] : [old.id];
  return {
    changes,
    outcome: {
      outcome: 'stored',
      memory,
      resembles: options.resembles,
      supersedes,
      chunks: [],
      ...remarks(incoming, text),
    },
  };
}

/** Puts new content into a memory that is there. */
export async function planReplace(
  planning: Planning,
  target: StoredRecord,
  replacement: {
    content: RecordContent;
    outcome: 'merged' | 'appended' | 'updated';
    resembles: Resemblance[];
    unlessDuplicate: boolean;
  },
): Promise<StorePlan> {
  const { content, outcome, resembles, unlessDuplicate } = replacement;
  const text = await makeOne(planning, content);
  const change = updateChange(target, content, { ...text, unlessDuplicate });
  const memory = toMemory({
    ...content,
    space: target.space,
    id: target.id,
    revision: target.revision + 1,
    deletedAt: null,
  });
  const said = remarks(planning.incoming, text);
  return {
    changes: [change],
    outcome: outcome === 'updated' ? { outcome, memory, ...said } : { outcome, memory, resembles, ...said },
  };
}

export async function planDuplicate({ parts, incoming }: Planning, same: StoredRecord): Promise<StorePlan> {
  const { passages, vectors } = await readSearchable(parts.store, same.space, same.id);
  const embedded = vectors.filter((vector) => vector.embedder === parts.embedder?.id).length;
  const searchableBy = passages.length > 0 && embedded >= passages.length ? 'text+meaning' : 'text';
  return {
    changes: [],
    outcome: { outcome: 'duplicate', memory: toMemory(same), warnings: incoming.warnings, searchableBy },
  };
}

export function planRefusal({ incoming }: Planning, resembles: Resemblance[]): StorePlan {
  return { changes: [], outcome: { outcome: 'refused', resembles, warnings: incoming.warnings, searchableBy: 'text' } };
}

export function newMemory(space: SpaceId, id: RecordId, content: RecordContent): Memory {
  return toMemory({ ...content, space, id, revision: 1, deletedAt: null });
}

export function remarks(
  incoming: NewMemory,
  ...texts: readonly MadeSearchable[]
): Pick<StoreOutcome, 'warnings' | 'searchableBy'> {
  return {
    warnings: [...new Set([...incoming.warnings, ...texts.flatMap(({ warnings }) => warnings)])],
    searchableBy: texts.every((text) => text.exact !== null) ? 'text+meaning' : 'text',
  };
}

async function makeOne({ make }: Planning, content: RecordContent): Promise<MadeSearchable> {
  return (await make([content]))[0]!;
}

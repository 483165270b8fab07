import type { EngineParts } from '../../engine/engine-parts.ts';
import { checkContent } from '../../engine/records/check-text.ts';
import { findCurrent } from '../../engine/records/find-records.ts';
import type { MadeSearchable, SearchableMaker } from '../../engine/records/make-searchable.ts';
import { mergeJsonObject } from '../../engine/records/read-json-object.ts';
import { OPEN_FIELDS } from '../../engine/records/read-plain-fields.ts';
import {
  contentOf,
  createChange,
  readSearchable,
  supersedeChange,
  supersedesRelation,
  updateChange,
} from '../../engine/records/record-changes.ts';
import { splitContent } from '../../engine/records/split-passages.ts';
import { canonicalJson } from '../../model/canonical-json.ts';
import type { Change } from '../../model/change.ts';
import { type Instant, newRecordId, type RecordId, type SpaceId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import { lowestTrust, type RecordContent, type StoredRecord } from '../../model/record.ts';
import { findResembling, type Resembling, resemblance } from './find-resembling.ts';
import type { Memory, Resemblance, StoredOutcome } from './memory.ts';
import { memoryKind } from './memory-kind.ts';
import { type NewMemory, orUntagged } from './new-memory.ts';
import { toMemory } from './to-memory.ts';

/** Compares an incoming memory with what is there and says what to write. The store may move on meanwhile: the commit notices, and the plan is made anew. */
export async function planStore(planning: Planning): Promise<StorePlan> {
  const { parts, space, incoming } = planning;
  const { kind, key, project, contentHash } = incoming.content;
  const named = key === null ? null : await findCurrent(parts.store, space, { kind, project, key });
  if (named !== null) return planKeyed(planning, named);
  const { splitChars } = parts.settings;
  if (splitChars > 0 && incoming.content.content.length > splitChars && key === null) return planSplit(planning);
  if (incoming.policy === 'store') return planNew(planning, { resembles: [], unlessDuplicate: false });
  const same = await findCurrent(parts.store, space, { kind, project, contentHash });
  // A key is a name of its own: the same text under another name counts as a near copy, or nobody would find it by the new key.
  const isRepeated = same !== null && key === null;
  if (isRepeated && (incoming.policy === 'report' || incoming.policy === 'append'))
    return planDuplicate(planning, same);
  const asksNoMore = isRepeated || incoming.skipsNearCheck || planning.comparesLater === true;
  const near = asksNoMore ? [] : await findResembling(planning);
  const others =
    same === null ? near : [{ record: same, similarity: 1 }, ...near.filter(({ record }) => record.id !== same.id)];
  return planByPolicy(planning, others, isRepeated);
}

/** The key names a memory: it takes the new text, and of the labels those that the caller gave. */
async function planKeyed(planning: Planning, named: StoredRecord): Promise<StorePlan> {
  const { incoming, now } = planning;
  const { content: fresh, given } = incoming;
  const content: RecordContent = {
    ...contentOf(named),
    ...Object.fromEntries(OPEN_FIELDS.map((name) => [name, fresh[name] ?? named[name]])),
    content: fresh.content,
    contentHash: fresh.contentHash,
    type: given.type ? fresh.type : named.type,
    tags: given.tags ? fresh.tags : named.tags,
    body: given.metadata ? fresh.body : named.body,
    quality: given.quality ? fresh.quality : named.quality,
  };
  if (canonicalJson(content) === canonicalJson(contentOf(named))) return planDuplicate(planning, named);
  const { source, trust } = fresh;
  return planReplace(planning, named, {
    content: { ...content, source, trust: lowestTrust(named.trust, trust), updatedAt: now },
    outcome: 'updated',
    resembles: [],
    unlessDuplicate: false,
  });
}

/** What the policy says of a memory that resembles others, the nearest first; `isRepeated`: that one has its very text. */
async function planByPolicy(
  planning: Planning,
  others: readonly Resembling[],
  isRepeated: boolean,
): Promise<StorePlan> {
  const { incoming, now } = planning;
  const resembles = others.map(resemblance);
  const unlessDuplicate = incoming.content.key === null;
  const target = others[0]?.record;
  if (target === undefined || incoming.policy === 'report') return planNew(planning, { resembles, unlessDuplicate });
  if (incoming.policy === 'refuse') return planRefusal(planning, resembles);
  if (incoming.policy === 'supersede') return planNew(planning, { resembles, unlessDuplicate, supersedes: target });
  if (incoming.content.key !== null && target.key !== null) return planNew(planning, { resembles, unlessDuplicate });
  const fresh = incoming.content.content;
  if (incoming.policy === 'merge') {
    const content = mergeInto(target, incoming, isRepeated ? target.content : fresh);
    if (canonicalJson(content) === canonicalJson(contentOf(target))) return planDuplicate(planning, target);
    return planReplace(planning, target, {
      content: { ...content, updatedAt: now },
      outcome: 'merged',
      resembles,
      unlessDuplicate,
    });
  }
  // A request that is sent again must not grow the memory again.
  if (target.content.includes(fresh.trim())) return planDuplicate(planning, target);
  const content = { ...mergeInto(target, incoming, `${target.content.trimEnd()}\n\n${fresh}`), updatedAt: now };
  checkContent(content.content, planning.parts.settings.maxContentChars);
  return planReplace(planning, target, { content, outcome: 'appended', resembles, unlessDuplicate });
}

function mergeInto(target: StoredRecord, incoming: NewMemory, text: string): RecordContent {
  const { content: fresh, given } = incoming;
  const metadata = mergeJsonObject('metadata', target.body.metadata as JsonObject, fresh.body.metadata as JsonObject);
  return memoryKind.derive({
    ...contentOf(target),
    content: text,
    key: target.key ?? fresh.key,
    type: given.type ? fresh.type : target.type,
    tags: orUntagged(target.tags, fresh.tags),
    trust: lowestTrust(target.trust, fresh.trust),
    quality: given.quality ? fresh.quality : target.quality,
    body: { ...target.body, metadata },
  });
}

/** What one incoming memory wants written, and the answer once it is. No changes: the answer holds as things stand. */
export interface StorePlan {
  changes: Change[];
  outcome: StoredOutcome;
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

async function planNew(
  planning: Planning,
  options: { resembles: Resemblance[]; unlessDuplicate: boolean; supersedes?: StoredRecord },
): Promise<StorePlan> {
  const { parts, space, now, incoming } = planning;
  const text = await makeOne(planning, incoming.content);
  const { id } = incoming;
  const old = options.supersedes;
  const content = old === undefined ? incoming.content : succeed(old, incoming.content);
  const create = createChange(id, content, { ...text, unlessDuplicate: options.unlessDuplicate });
  const changes: Change[] = old === undefined ? [create] : [await supersedeChange(parts, old, { id, at: now }), create];
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

/** What takes the place of a memory takes its key too, and is trusted no more than that was. */
function succeed(old: StoredRecord, fresh: RecordContent): RecordContent {
  return { ...fresh, key: fresh.key ?? old.key, trust: lowestTrust(old.trust, fresh.trust) };
}

/** Puts new content into a memory that is there. */
async function planReplace(
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
    ...change.content,
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

async function planDuplicate({ parts, incoming }: Planning, same: StoredRecord): Promise<StorePlan> {
  const { passages, vectors } = await readSearchable(parts, same);
  const embedded = vectors.filter((vector) => vector.embedder === parts.embedder?.id).length;
  const searchableBy = passages.length > 0 && embedded >= passages.length ? 'text+meaning' : 'text';
  return {
    changes: [],
    outcome: {
      outcome: 'duplicate',
      memory: toMemory(same),
      warnings: incoming.warnings,
      searchableBy,
      redactions: incoming.redactions,
    },
  };
}

function planRefusal({ incoming: { warnings, redactions } }: Planning, resembles: Resemblance[]): StorePlan {
  return { changes: [], outcome: { outcome: 'refused', resembles, warnings, redactions, searchableBy: 'text' } };
}

export function newMemory(space: SpaceId, id: RecordId, content: RecordContent): Memory {
  return toMemory({ ...content, space, id, revision: 1, deletedAt: null });
}

function remarks(
  incoming: NewMemory,
  ...texts: readonly MadeSearchable[]
): Pick<StoredOutcome, 'warnings' | 'searchableBy' | 'redactions'> {
  return {
    redactions: incoming.redactions,
    warnings: [...new Set([...incoming.warnings, ...texts.flatMap(({ warnings }) => warnings)])],
    searchableBy: texts.every((text) => text.exact !== null) ? 'text+meaning' : 'text',
  };
}

async function makeOne({ make }: Planning, content: RecordContent): Promise<MadeSearchable> {
  return (await make([content]))[0]!;
}

/**
 * Several memories for one long text. Each says where it belongs: `chunk_index` (from 0), `total_chunks`, `original_hash` (of the whole text).
 * The same text again is a duplicate of the first piece; pieces are not compared with other memories.
 */
async function planSplit(planning: Planning): Promise<StorePlan> {
  const { parts, space, now, incoming, make } = planning;
  const { splitChars, splitOverlapChars } = parts.settings;
  const pieces = splitContent(incoming.content.content, { maxChars: splitChars, overlapChars: splitOverlapChars });
  const contents = pieces.map((piece, index) => pieceOf(incoming.content, piece, { index, total: pieces.length }));
  const { kind, project, contentHash } = contents[0]!;
  const there = await findCurrent(parts.store, space, { kind, project, contentHash });
  const repeated = there !== null && (there.body.metadata as JsonObject).original_hash === incoming.content.contentHash;
  if (repeated && incoming.policy === 'refuse')
    return planRefusal(planning, [resemblance({ record: there, similarity: 1 })]);
  if (repeated && incoming.policy !== 'store') return planDuplicate(planning, there);
  const texts = await make(contents);
  const ids = contents.map(() => newRecordId(now));
  const changes = contents.map(
    (content, i): Change => createChange(ids[i]!, content, { ...texts[i]!, unlessDuplicate: false }),
  );
  const chunks = contents.map((content, i) => newMemory(space, ids[i]!, content));
  return {
    changes,
    outcome: {
      outcome: 'stored',
      memory: chunks[0]!,
      resembles: [],
      supersedes: [],
      chunks,
      ...remarks(incoming, ...texts),
    },
  };
}

function pieceOf(whole: RecordContent, text: string, position: { index: number; total: number }): RecordContent {
  const metadata = {
    ...(whole.body.metadata as JsonObject),
    chunk_index: position.index,
    total_chunks: position.total,
    original_hash: whole.contentHash,
  };
  return memoryKind.derive({ ...whole, content: text, body: { metadata } });
}

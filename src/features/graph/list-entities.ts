import { authorize } from '../../engine/authorize.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import { retryConflicts } from '../../engine/records/change-record.ts';
import { checkText, invalid } from '../../engine/records/check-text.ts';
import { locate, spacesOf } from '../../engine/records/find-records.ts';
import { makeSearchable } from '../../engine/records/make-searchable.ts';
import { originOf } from '../../engine/records/origin.ts';
import { contentOf, putRecord } from '../../engine/records/record-changes.ts';
import { openRedactor } from '../../engine/records/redact-content.ts';
import type { Caller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import {
  ENTITY_KINDS,
  type KnownEntity,
  type ListEntitiesInput,
  type ListedEntities,
  type MergedEntity,
  type MergeEntitiesInput,
} from './entity.ts';
import { keyOf, readKey } from './entity-key.ts';
import { entityId, entityKind, readMerged } from './entity-kind.ts';
import { describeEntity } from './find-mentions.ts';
import type { SpaceEntities } from './space-entities.ts';
import { createAllEntities } from './space-entities.ts';

const DEFAULT_LIMIT = 50;

/** What the caller's memories mention, the most often first; those that were merged as one. */
export async function listEntities(
  parts: EngineParts,
  caller: Caller,
  { kind, contains, ref, limit = DEFAULT_LIMIT }: ListEntitiesInput,
): Promise<ListedEntities> {
  const one = ref === undefined ? null : await locate(parts, caller, { ref, action: 'read', deleted: 'exclude' });
  const needle = contains?.toLowerCase();
  const found: KnownEntity[] = [];
  for (const space of one === null ? spacesOf(caller) : [one.space]) {
    authorize(caller, 'read', space);
    const state = await parts.state(createAllEntities).fresh(space);
    const wanted = one === null ? state.entities.keys() : (state.records.get(one.id)?.keys ?? []);
    for (const keys of groupAliases(state, wanted)) {
      const entity = describeEntity(state, keys);
      if (entity !== null && (kind === undefined || entity.kind === kind)) found.push(entity);
    }
  }
  const passing = found.filter(
    ({ name, key, aliases }) =>
      needle === undefined || [name, key, ...aliases].some((text) => text.toLowerCase().includes(needle)),
  );
  passing.sort((a, b) => b.mentions - a.mentions || b.lastAt - a.lastAt || (a.key < b.key ? -1 : 1));
  return { entities: passing.slice(0, limit), total: passing.length };
}

function groupAliases(state: SpaceEntities, keys: Iterable<string>): string[][] {
  const groups = Map.groupBy(keys, (key) => state.aliases.get(key) ?? key);
  return [...groups].map(([root, some]) => {
    const aliases = [...state.aliases].filter(([, key]) => key === root).map(([alias]) => alias);
    return [...new Set([root, ...some, ...aliases])];
  });
}

/** Says that several names mean the same; saying it again adds to what was said. */
export async function mergeEntities(
  parts: EngineParts,
  caller: Caller,
  { into, aliases }: MergeEntitiesInput,
): Promise<MergedEntity> {
  authorize(caller, 'write', caller.space);
  for (const name of [into, ...aliases]) checkText('aliases', name);
  const redactor = await openRedactor(parts, caller);
  const state = await parts.state(createAllEntities).fresh(caller.space);
  const root = resolve(state, into, null);
  const others = aliases.map((alias) => resolve(state, alias, root.kind).key).filter((key) => key !== root.key);
  if (others.length === 0) throw invalid('aliases', 'names nothing else');
  const id = entityId(root.key);
  return retryConflicts(async () => {
    const [known = null] = await parts.store.getRecords(caller.space, [id]);
    const before = known === null || known.deletedAt !== null ? [] : readMerged(known.body).aliases;
    const all = [...new Set([...before, ...others])];
    const now = parts.clock.now();
    const base = known === null ? { ...EMPTY, ...originOf(caller, null), createdAt: now } : contentOf(known);
    const body = redactor.value('body', { entity: root.key, name: root.name, aliases: all }).value;
    const content = entityKind.derive({ ...base, updatedAt: now, body });
    const { passages, vectors } = await makeSearchable(parts, content);
    const put = await putRecord(parts, caller, { id, content, known, passages, vectors, unlessDuplicate: false });
    return put === null ? null : { id, entity: root, aliases: all };
  });
}

function resolve(state: SpaceEntities, text: string, wanted: KnownEntity['kind'] | null) {
  const { kind: said, name } = readKey(text);
  const kinds = said !== null ? [said] : wanted !== null ? [wanted] : ENTITY_KINDS;
  const kind = kinds.find((one) => state.entities.has(keyOf(one, name))) ?? (kinds.length === 1 ? kinds[0] : undefined);
  if (kind !== undefined) return { kind, name, key: state.aliases.get(keyOf(kind, name)) ?? keyOf(kind, name) };
  throw new EngineError('not_found', `No memory mentions "${name}".`, {
    hint: `Say what it is, as in person:${name}. The kinds are ${ENTITY_KINDS.join(', ')}.`,
    details: { field: 'into' },
  });
}

const EMPTY = {
  kind: entityKind.name,
  key: null,
  type: 'alias',
  title: null,
  content: '',
  contentHash: '',
  tags: [],
  project: null,
  workspace: null,
  agent: null,
  session: null,
  conversation: null,
  author: null,
  quality: 0.5,
  validFrom: null,
  validUntil: null,
  supersededBy: null,
};

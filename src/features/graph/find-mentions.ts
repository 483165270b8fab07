import type { RecordId, SpaceId } from '../../model/ids.ts';
import { ENTITY_KINDS, type Entity, type KnownEntity } from './entity.ts';
import { isMeant, keyOf, readKey } from './entity-key.ts';
import type { AllEntities, SpaceEntities } from './space-entities.ts';

export interface Mentioning {
  /** null: nothing names it. */
  entity: KnownEntity | null;
  ids: Set<RecordId>;
}

/** All that mention what somebody asks for, by whatever name, in these spaces. */
export async function findMentions(all: AllEntities, spaces: readonly SpaceId[], asked: string): Promise<Mentioning> {
  const found: Mentioning = { entity: null, ids: new Set() };
  for (const space of spaces) {
    const state = await all.fresh(space);
    const keys = keysFor(state, asked);
    for (const key of keys) for (const id of state.entities.get(key)?.ids ?? []) found.ids.add(id);
    found.entity = join(found.entity, describeEntity(state, keys));
  }
  return found;
}

/** The keys that a name means in a space: as it is, more loosely, and by what was merged; the entity's own first. */
export function keysFor(state: SpaceEntities, asked: string): string[] {
  const { kind, name } = readKey(asked);
  const wanted = (kind === null ? ENTITY_KINDS : [kind]).map((one) => keyOf(one, name));
  const roots = wanted.map((key) => state.aliases.get(key) ?? key);
  const meant = new Set(roots.filter((key) => state.entities.has(key)));
  for (const key of state.entities.keys()) if (roots.some((root) => isMeant(root, key))) meant.add(key);
  for (const [alias, key] of state.aliases) if (roots.includes(key) || meant.has(key)) meant.add(alias);
  for (const root of roots) if ([...state.aliases.values()].includes(root)) meant.add(root);
  return [...meant];
}

export function describeEntity(state: SpaceEntities, keys: readonly string[]): KnownEntity | null {
  const ids = new Set<RecordId>();
  const names = new Map<string, number>();
  for (const key of keys) {
    const known = state.entities.get(key);
    for (const id of known?.ids ?? []) if (state.records.get(id)?.isCurrent === true) ids.add(id);
    for (const [name, count] of known?.names ?? []) names.set(name, (names.get(name) ?? 0) + count);
  }
  const [key] = keys;
  if (key === undefined || names.size === 0) return null;
  const ordered = [...names].sort((a, b) => b[1] - a[1] || b[0].length - a[0].length).map(([name]) => name);
  const lastAt = Math.max(0, ...[...ids].map((id) => state.records.get(id)?.at ?? 0));
  const own = state.entities.get(key) ?? state.entities.get(keys.find((one) => state.entities.has(one))!)!;
  return { kind: own.kind, name: ordered[0]!, key, aliases: ordered.slice(1), mentions: ids.size, lastAt };
}

function join(a: KnownEntity | null, b: KnownEntity | null): KnownEntity | null {
  if (a === null || b === null) return a ?? b;
  const aliases = [...new Set([...a.aliases, b.name, ...b.aliases])].filter((name) => name !== a.name);
  return { ...a, aliases, mentions: a.mentions + b.mentions, lastAt: Math.max(a.lastAt, b.lastAt) };
}

/** What is named together with it, and how often. */
export function listTogether(
  state: SpaceEntities,
  { keys, ids }: { keys: readonly string[]; ids: Iterable<RecordId> },
): (Entity & { together: number })[] {
  const counts = new Map<string, number>();
  for (const id of ids)
    for (const key of state.records.get(id)?.keys ?? [])
      if (!keys.includes(key)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts]
    .map(([key, together]) => {
      const { kind, names } = state.entities.get(key)!;
      return { kind, key, name: names.keys().next().value!, together };
    })
    .sort((a, b) => b.together - a.together || (a.key < b.key ? -1 : 1));
}

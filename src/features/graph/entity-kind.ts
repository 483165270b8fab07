import type { Kind } from '../../engine/records/kind.ts';
import { derivedRecordId, type RecordId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import { hashContent } from '../../model/record.ts';
import type { Entity, EntityKind } from './entity.ts';
import { readKey } from './entity-key.ts';

/** What somebody has said about an entity: by which other names it goes. Entities themselves follow from the texts and are not stored. */
export const entityKind: Kind = {
  name: 'alias',
  plural: 'aliases',
  code: 50,
  ownVerbs: ['store', 'update'],
  isFoundByNameOnly: true,
  listPassages: ({ content }) => [{ part: '', text: content }],
  derive(record) {
    const { key, name, aliases } = readMerged(record.body);
    const content = `${name} is also ${aliases.join(', ')}`;
    return { ...record, key, title: name, content, contentHash: hashContent(`${key}\n${content}`) };
  },
  findFaults: ({ body }) =>
    typeof body.entity === 'string' && Array.isArray(body.aliases) ? [] : ['it names no entity'],
  screened: ({ body }) => body,
};

/** The key of the entity, and those that mean the same. */
export function readMerged(body: JsonObject): Entity & { aliases: string[] } {
  const key = String(body.entity);
  const { kind, name } = readKey(key);
  const aliases = Array.isArray(body.aliases) ? body.aliases.map(String) : [];
  return { kind: kind ?? ('person' satisfies EntityKind), key, name: String(body.name ?? name), aliases };
}

export function entityId(key: string): RecordId {
  return derivedRecordId(`entity\n${key}`);
}

import type { Json, JsonObject } from '../../model/json.ts';
import { readRelationPart, type SharedState, TEXT } from '../../model/shared-state.ts';
import type { Redactor } from './redact-content.ts';

export function holdsSecret(redactor: Redactor, value: Json): boolean {
  return redactor.value('', value).redactions.some(({ replaced }) => replaced);
}

/** Whether stamps say a secret: in relations, or in parts and fields that this release does not know. What `known` says as well was looked at. */
export function stampsHoldSecret(redactor: Redactor, stamps: string, known: string | null = null): boolean {
  if (stamps === known) return false;
  const before = known === null ? new Map() : listSayings(known);
  return [...listSayings(stamps)].some(([text, value]) => !before.has(text) && holdsSecret(redactor, value));
}

/** What stamps say beside who wrote what when. */
function listSayings(stamps: string): Map<string, Json> {
  const { parts, fields } = JSON.parse(stamps) as Pick<SharedState, 'parts' | 'fields'>;
  const sayings = new Map<string, Json>();
  const add = (value: Json) => sayings.set(JSON.stringify(value), value);
  for (const [name, some] of Object.entries(parts)) {
    if (name === TEXT) continue;
    add(readRelationPart(name)?.type ?? name);
    for (const { time: _, ...said } of Object.values(some)) if (Object.keys(said).length > 0) add(said as JsonObject);
  }
  for (const [name, { value }] of Object.entries(fields)) {
    add(name);
    if (value !== undefined && value !== null) add({ [name.slice(name.lastIndexOf(' ') + 1)]: value });
  }
  return sayings;
}

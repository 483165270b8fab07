import { toIso } from '../model/instant.ts';
import { toEngineName } from '../model/wire.ts';
import type { Fields } from './field.ts';

type Values = Readonly<Record<string, unknown>>;

/** What a caller sent, by the engine's names. Other values than instants stay: times may be phrases, which the verb reads. */
export function readInput(fields: Fields, sent: Values): Record<string, unknown> {
  const input = rename(fields, sent, (name) => [name, toEngineName(name)]);
  for (const [name, { type }] of Object.entries(fields)) {
    const value = sent[name];
    if (type === 'instant' && typeof value === 'string') input[toEngineName(name)] = Date.parse(value);
  }
  return input;
}

/** The way back: an input by wire names, with instants as ISO 8601. */
export function writeInput(fields: Fields, input: Values): Record<string, unknown> {
  const sent = rename(fields, input, (name) => [toEngineName(name), name]);
  for (const [name, field] of Object.entries(fields)) {
    const value = sent[name];
    if ((field.type === 'time' || field.type === 'instant') && typeof value === 'number') sent[name] = toIso(value);
  }
  return sent;
}

function rename(
  fields: Fields,
  values: Values,
  names: (name: string) => [from: string, to: string],
): Record<string, unknown> {
  const renamed: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const [from, to] = names(name);
    const value = values[from];
    if (value === undefined) continue;
    renamed[to] =
      field.type === 'items' && Array.isArray(value)
        ? value.map((item: Values) => rename(field.fields ?? {}, item, names))
        : value;
  }
  return renamed;
}

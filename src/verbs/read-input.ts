import { toIso } from '../model/instant.ts';
import { readExactTime } from '../model/read-exact-time.ts';
import { toEngineName } from '../model/wire.ts';
import type { Field, Fields } from './field.ts';

type Values = Readonly<Record<string, unknown>>;

/** What a caller sent, by the engine's names. Other values than instants stay: times may be phrases, which the verb reads. */
export function readInput(fields: Fields, sent: Values): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  // A call gives few of the fields: those that it leaves out are not named anew.
  for (const name of Object.keys(fields)) {
    const value = sent[name];
    if (value === undefined) continue;
    const isInstant = fields[name]!.type === 'instant' && typeof value === 'string';
    input[toEngineName(name)] = isInstant ? readExactTime(value) : renameItems(fields[name]!, value, toEngineNames);
  }
  return input;
}

/** The way back: an input by wire names, with instants as ISO 8601. */
export function writeInput(fields: Fields, input: Values): Record<string, unknown> {
  const sent = rename(fields, input, toWireNames);
  for (const [name, field] of Object.entries(fields)) {
    const value = sent[name];
    if ((field.type === 'time' || field.type === 'instant') && typeof value === 'number') sent[name] = toIso(value);
  }
  return sent;
}

type Renaming = (name: string) => [from: string, to: string];

const toEngineNames: Renaming = (name) => [name, toEngineName(name)];
const toWireNames: Renaming = (name) => [toEngineName(name), name];

function rename(fields: Fields, values: Values, names: Renaming): Record<string, unknown> {
  const renamed: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const [from, to] = names(name);
    const value = values[from];
    if (value !== undefined) renamed[to] = renameItems(field, value, names);
  }
  return renamed;
}

function renameItems({ type, fields = {} }: Field, value: unknown, names: Renaming): unknown {
  if (type !== 'items' || !Array.isArray(value)) return value;
  return value.map((item: Values) => rename(fields, item, names));
}

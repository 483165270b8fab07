import { toIso } from './instant.ts';

/** Fields whose content belongs to the caller, or whose keys are not names of ours: carried as they are. */
const AS_GIVEN: ReadonlySet<string> = new Set(['metadata', 'details', 'weights', 'head', 'ms', 'known', 'packet']);
const RENAMED: Readonly<Record<string, string>> = { conversation: 'conversation_id' };
const INSTANT = /(^|_)at$|^valid_(from|until)$|^(after|before)$/;

/** A value of the engine as JSON outside the program: snake_case names, instants as ISO 8601, absent fields left out. */
export function toWire(value: unknown, name = ''): unknown {
  if (AS_GIVEN.has(name)) return value;
  if (typeof value === 'number' && INSTANT.test(name)) return toIso(value);
  if (Array.isArray(value)) return value.map((item) => toWire(item));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(
    fields.map(([key, inner]) => {
      const wireName = toWireName(key);
      return [wireName, toWire(inner, wireName)];
    }),
  );
}

/** The way back: what `toWire` made, as the engine has it. */
export function fromWire(value: unknown, name = ''): unknown {
  if (AS_GIVEN.has(name)) return value;
  if (typeof value === 'string' && INSTANT.test(name)) return Date.parse(value);
  if (Array.isArray(value)) return value.map((item) => fromWire(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [toEngineName(key), fromWire(inner, key)]));
}

const ENGINE_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(RENAMED).map(([engine, wire]) => [wire, engine]),
);

function toWireName(name: string): string {
  return RENAMED[name] ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function toEngineName(name: string): string {
  return ENGINE_NAMES[name] ?? name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

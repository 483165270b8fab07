import { toIso } from '../model/instant.ts';

/** Fields that hold milliseconds inside the program and ISO times outside. */
const INSTANTS: ReadonlySet<string> = new Set([
  'createdAt',
  'updatedAt',
  'deletedAt',
  'replacedAt',
  'checkedAt',
  'validFrom',
  'validUntil',
  'after',
  'before',
]);
/** Fields whose keys are the caller's own. */
const AS_GIVEN: ReadonlySet<string> = new Set(['metadata', 'details', 'weights', 'head']);
/** The owner has one space, and REST does not show it either. */
const LEFT_OUT: ReadonlySet<string> = new Set(['space']);
const RENAMED: Readonly<Record<string, string>> = { conversation: 'conversation_id' };

/** The same names and times as REST answers with: snake_case, ISO 8601. */
export function toJson(value: unknown, field = ''): unknown {
  if (AS_GIVEN.has(field)) return value;
  if (typeof value === 'number' && INSTANTS.has(field)) return toIso(value);
  if (Array.isArray(value)) return value.map((item) => toJson(item));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key, inner]) => inner !== undefined && !LEFT_OUT.has(key));
  return Object.fromEntries(entries.map(([key, inner]) => [RENAMED[key] ?? toSnakeCase(key), toJson(inner, key)]));
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

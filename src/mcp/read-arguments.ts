import type * as z from 'zod';
import { EngineError } from '../model/errors.ts';
import { parseJson } from '../model/json-text.ts';
import { nearestName } from '../model/nearest-name.ts';
import type { Field, Fields } from '../verbs/field.ts';
import { schemaOf } from '../verbs/field-schema.ts';

/** Deeper nesting would exhaust the stack of whoever walks through it. */
const MAX_DEPTH = 64;

/** Parses what an agent sent. Forgives the form (numbers and lists as text, null or nothing for absent), never the meaning: unknown names and wrong values are errors. */
export function readArguments(fields: Fields, raw: unknown): Record<string, unknown> {
  const given = raw === undefined || raw === null ? {} : raw;
  if (typeof given !== 'object' || Array.isArray(given))
    throw new EngineError('invalid_input', 'The arguments must be an object.');
  const forgiven: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(fields, name)) throw unknownArgument(name, Object.keys(fields));
    const read = forgive(fields[name]!, value);
    if (isDeeperThan(MAX_DEPTH, read))
      throw new EngineError('invalid_input', `${name} is nested more than ${MAX_DEPTH} levels deep.`, {
        details: { field: name, limit: MAX_DEPTH },
      });
    if (read !== undefined) forgiven[name] = read;
  }
  const parsed = schemaOf(fields).safeParse(forgiven);
  if (parsed.success) return parsed.data;
  throw wrongArgument(parsed.error.issues[0]!, forgiven);
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner));
}

function forgive(field: Field, value: unknown): unknown {
  if (value === null) return undefined;
  switch (field.type) {
    case 'any':
      return value;
    case 'integer':
    case 'number':
      if (value === '') return undefined;
      return typeof value === 'string' && Number.isFinite(Number(value)) && value.trim() !== '' ? Number(value) : value;
    case 'flag':
      return value === '' ? undefined : readBoolean(value);
    case 'tags':
    case 'refs':
    case 'items':
      return value === '' ? undefined : readList(value);
    case 'json':
      if (value === '') return undefined;
      return typeof value === 'string' ? parseOrKeep(value) : value;
    default:
      return readText(field, value);
  }
}

/** Agents send empty text for "not given", and to clear what can be cleared. */
function readText({ isVerbatim, isNullable }: Field, value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string' || isVerbatim === true || value.trim() !== '') return value;
  return isNullable === true ? null : undefined;
}

function readBoolean(value: unknown): unknown {
  if (value === 1 || (typeof value === 'string' && /^(true|yes|1)$/i.test(value.trim()))) return true;
  if (value === 0 || (typeof value === 'string' && /^(false|no|0)$/i.test(value.trim()))) return false;
  return value;
}

function readList(value: unknown): unknown {
  const parsed = typeof value === 'string' && value.trim().startsWith('[') ? parseOrKeep(value) : value;
  const items = typeof parsed === 'string' ? parsed.split(',') : parsed;
  if (!Array.isArray(items)) return typeof items === 'number' ? [String(items)] : items;
  const texts = items.map((item: unknown) => (typeof item === 'number' ? String(item) : item));
  return texts
    .map((item) => (typeof item === 'string' ? item.trim() : item))
    .filter((item) => item !== '' && item !== null);
}

/** Text that is not JSON after all stays as it is; the schema names what it should have been. */
function parseOrKeep(text: string): unknown {
  const value = parseJson(text);
  return value === undefined ? text : value;
}

function unknownArgument(name: string, known: readonly string[]): EngineError {
  const nearest = nearestName(name, known);
  return new EngineError('invalid_input', `There is no argument "${name.slice(0, 60)}".`, {
    hint: nearest === null ? `Known arguments: ${known.join(', ') || 'none'}.` : `Did you mean "${nearest}"?`,
    details: { field: name.slice(0, 60), nearest },
  });
}

/** What can be said in two ways is asked for in the first of them. */
function firstWay(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  const inner = issue.code === 'invalid_union' ? issue.errors[0]?.[0] : undefined;
  return inner === undefined ? issue : { ...inner, path: [...issue.path, ...inner.path] };
}

const MISSING = { demand: 'is required', limit: null };

function wrongArgument(found: z.core.$ZodIssue, given: Record<string, unknown>): EngineError {
  const issue = firstWay(found);
  const value = shortValue(
    issue.path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], given),
  );
  const { field, demand, limit } = describeIssue(issue);
  const message = value === undefined ? `${field} ${demand}.` : `${field} ${demand}, not ${value}.`;
  return new EngineError('invalid_input', message, { details: { field, limit, value: value ?? null } });
}

/** What is wrong where, as the end of a sentence that begins with the field. */
export function describeIssue(found: z.core.$ZodIssue): { field: string } & Demand {
  const issue = firstWay(found);
  return { field: issue.path.map(String).join('.'), ...describeDemand(issue) };
}

interface Demand {
  demand: string;
  limit: number | string | null;
}

function describeDemand(issue: z.core.$ZodIssue): Demand {
  if (issue.code === 'too_big')
    return { demand: `must be at most ${issue.maximum}${unit(issue.origin)}`, limit: Number(issue.maximum) };
  if (issue.code === 'too_small')
    return { demand: `must be at least ${issue.minimum}${unit(issue.origin)}`, limit: Number(issue.minimum) };
  if (issue.code === 'invalid_value')
    return {
      demand: `must be one of ${issue.values.map(String).join(', ')}`,
      limit: issue.values.map(String).join('|'),
    };
  if (issue.code === 'invalid_type' && issue.input === undefined && issue.message.includes('undefined')) return MISSING;
  if (issue.code === 'invalid_type')
    return { demand: `must be ${EXPECTED[issue.expected] ?? issue.expected}`, limit: issue.expected };
  // a check of ours says it in words; one that says nothing asks for a value to be there
  if (issue.code === 'custom') return issue.message === UNSAID ? MISSING : { demand: issue.message, limit: null };
  return { demand: 'cannot be read', limit: null };
}

const UNSAID = 'Invalid input';
const EXPECTED: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function unit(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' items' : '';
}

/** Enough to recognise the mistake; long text may be a memory's content and is not repeated. */
function shortValue(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string' && value !== '' && value.length <= 40) return JSON.stringify(value);
  return undefined;
}

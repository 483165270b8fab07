import type { z } from 'zod';
import { type FieldError, RequestProblem } from './error-response.ts';

type Part = 'body' | 'query' | 'path';

/** The value as the schema gives it, or a problem that names every field at fault. */
export function parseInput<S extends z.ZodType>(schema: S, value: unknown, part: Part): z.infer<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const errors = result.error.issues.flatMap((issue) => describeIssue(issue, part));
  const faults = errors.map(({ field, message }) => `${field} ${message}`).join('; ');
  const hint = 'GET /api/v1/docs describes the fields.';
  throw new RequestProblem('invalid_input', `The ${part} is not valid: ${faults}.`, { errors, hint });
}

/** Once: its text. More than once: a list. */
export function readQuery(url: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = {};
  for (const [name, value] of new URL(url).searchParams) {
    const before = Object.hasOwn(query, name) ? query[name] : undefined;
    const next = before === undefined ? value : [before, value].flat();
    Object.defineProperty(query, name, { value: next, enumerable: true, configurable: true, writable: true });
  }
  return query;
}

function describeIssue(issue: z.core.$ZodIssue, part: Part): FieldError[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ field: fieldName([...issue.path, key], part), message: 'is not a known field' }));
  return [{ field: fieldName(issue.path, part), message: describeFault(issue) }];
}

function describeFault(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined')) return 'is missing';
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  return issue.message.replace(/^Invalid input: /, '').replace(/^([A-Z])(?=[a-z])/, (letter) => letter.toLowerCase());
}

function fieldName(path: readonly PropertyKey[], part: Part): string {
  if (path.length === 0) return part;
  return path
    .map((step, i) => (typeof step === 'number' ? `[${step}]` : `${i === 0 ? '' : '.'}${String(step)}`))
    .join('');
}

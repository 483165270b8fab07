import type { ToolAnswer } from '../../mcp/tool.ts';
import { isRecordId } from '../../model/ids.ts';

const MOST_IDS = 20;

/** Undefined where nothing was said, or no number. */
export function readNumber(value: unknown): number | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const number = value === '' ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** Numbers, as they are printed; ids of records are understood too. */
export function readIds(value: unknown): { refs: string[] } | { error: string } {
  const given = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [value];
  const named = given.map(nameOf).filter((one) => one !== '');
  if (named.length === 0) return { error: 'No IDs provided.' };
  if (named.length > MOST_IDS) return { error: `Too many IDs: max ${MOST_IDS} allowed.` };
  const refs = named.filter((one) => isRecordId(one) || /^[1-9]\d{0,15}$/.test(one));
  return refs.length === 0 ? { error: 'No valid IDs provided.' } : { refs: [...new Set(refs)] };
}

/** What is neither text nor a number names nothing; it counts as given. */
function nameOf(one: unknown): string {
  if (typeof one === 'string' || typeof one === 'number') return String(one).trim();
  return one === undefined || one === null ? '' : '?';
}

/** A call that could not be understood, in the one sentence that clients of the old system know. */
export function fail(message: string): ToolAnswer {
  return { structured: { message, error: message }, text: message, isError: true };
}

import { EngineError } from './errors.ts';
import type { RecordId } from './ids.ts';

export interface RelationType {
  /** The same in both directions: kept once, from the smaller id to the greater. */
  isSymmetric?: true;
  /** What holds from A to B and from B to C is likely to hold from A to C. */
  isTransitive?: true;
  /** How a sentence says it, between the two ends. */
  about: string;
}

/** Types that the program knows. Any other name is a type too: directed, and of whatever meaning its user gives it. */
export const RELATION_TYPES: Readonly<Record<string, RelationType>> = {
  related: { isSymmetric: true, about: 'is related to' },
  causes: { isTransitive: true, about: 'causes' },
  fixes: { about: 'fixes' },
  supports: { about: 'supports' },
  follows: { isTransitive: true, about: 'follows' },
  contradicts: { isSymmetric: true, about: 'contradicts' },
  'derived-from': { isTransitive: true, about: 'was derived from' },
  supersedes: { isTransitive: true, about: 'supersedes' },
  mentions: { about: 'mentions' },
};

/** What begins at a record that was made from the one where it ends, as other systems write it too. */
export const MADE_FROM: ReadonlySet<string> = new Set(['supersedes', 'derived-from', 'summarizes', 'summary-of']);

const NAME = /^[\p{L}\p{N}][\p{L}\p{N}-]{0,49}$/u;

/** One name for `derived_from`, `Derived from` and `derived-from`: other systems write each of them. */
export function spellType(type: string): string {
  return type
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '-');
}

export function readRelationType(given: string): string {
  const type = spellType(given);
  if (NAME.test(type)) return type;
  throw new EngineError('invalid_input', 'The type of a relation is a name of up to 50 letters, digits and hyphens.', {
    hint: `Known types: ${Object.keys(RELATION_TYPES).join(', ')}. Others of your own are possible.`,
    details: { field: 'type' },
  });
}

export function isSymmetric(type: string): boolean {
  return RELATION_TYPES[spellType(type)]?.isSymmetric === true;
}

/** Where a relation of this type begins and ends: its identity, the same on every replica whichever end was named first. */
export function placeEnds(type: string, from: RecordId, to: RecordId): { from: RecordId; to: RecordId } {
  return isSymmetric(type) && to < from ? { from: to, to: from } : { from, to };
}

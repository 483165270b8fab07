import { DEFAULT_MEMORY_TYPE, listMemoryTypes, type MemoryTypes } from '../../model/memory-types.ts';
import { isWithinOneEdit } from '../search/text/edit-distance.ts';

/** An unknown type is kept as given; the warning says so and how to make it known. */
export function resolveType(given: string | null, types: MemoryTypes): { type: string; warning: string | null } {
  const type = given ?? DEFAULT_MEMORY_TYPE;
  const known = listMemoryTypes(types);
  if (known.includes(type)) return { type, warning: null };
  const nearest = nearestType(type, known);
  const suggestion = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  return {
    type,
    warning: `The type "${type}" is not a known one; it was kept as given.${suggestion} The setting memory_types adds types.`,
  };
}

function nearestType(type: string, known: readonly string[]): string | undefined {
  const folded = type.toLowerCase().replaceAll(/[\s-]+/g, '_');
  return (
    known.find((candidate) => candidate === folded) ?? known.find((candidate) => isWithinOneEdit(candidate, folded))
  );
}

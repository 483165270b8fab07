import { EngineError } from './errors.ts';
import { nearestName } from './nearest-name.ts';

interface Expected {
  known: readonly string[];
  /** Of a field or an option, in a sentence that goes on with where it is not: `option of openMemory`. */
  what: string;
  /** Names that others have for the same. */
  aliases?: Readonly<Record<string, string>>;
}

/** A name that nobody reads is a mistake that would show much later, or never: what was meant is named. */
export function refuseUnknown(given: unknown, { known, what, aliases = {} }: Expected): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new EngineError('invalid_input', `An object is needed: each ${what} by its name.`, {
      hint: `Known names: ${known.join(', ')}.`,
    });
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || known.includes(name)) continue;
    const nearest = (Object.hasOwn(aliases, name) ? aliases[name] : undefined) ?? nearestName(name, known);
    throw new EngineError('invalid_input', `"${name.slice(0, 100)}" is no ${what}.`, {
      hint: nearest === null ? knownNames(known) : `Did you mean "${nearest}"?`,
      details: { field: name.slice(0, 100), ...(nearest !== null && { nearest }) },
    });
  }
}

function knownNames(known: readonly string[]): string {
  return known.length === 0 ? 'It has none.' : `Known names: ${known.join(', ')}.`;
}

import { EngineError } from '../model/errors.ts';

/** Every family there is. */
export const ALL = 'all';

/** In the order of `known`, whatever the order asked for, so that the same choice always gives the same list. */
export function readFamilies(text: string, known: readonly string[]): readonly string[] {
  const names = text
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
  const wrong = names.find((name) => name !== ALL && !known.includes(name))?.slice(0, 40);
  if (wrong !== undefined || names.length === 0)
    throw new EngineError(
      'invalid_input',
      wrong === undefined ? 'No tool family is named.' : `There is no tool family "${wrong}".`,
      {
        hint: `Choose from ${known.join(', ')}, or ${ALL}.`,
        details: { field: 'tools', ...(wrong !== undefined && { value: wrong }) },
      },
    );
  return names.includes(ALL) ? known : known.filter((family) => names.includes(family));
}

/** null where the address does not say. Throws for a family that does not exist. */
export function familiesIn(url: string, known: readonly string[]): readonly string[] | null {
  const wanted = new URL(url).searchParams.getAll('tools');
  return wanted.length === 0 ? null : readFamilies(wanted.join(), known);
}

import type { VerbTable } from './verb.ts';

/** The section of the API's document that verbs stand in. */
export function inGroup<Table extends VerbTable>(group: string, verbs: Table): Table {
  const grouped = Object.entries(verbs).map(([name, verb]) => [
    name,
    { ...verb, rest: verb.rest && { ...verb.rest, group } },
  ]);
  return Object.fromEntries(grouped) as Table;
}

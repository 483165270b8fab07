import type { VerbTable } from './verb.ts';

/** The section of the API's document that verbs stand in. */
export function inGroup<Table extends VerbTable>(group: string, verbs: Table): Table {
  return Object.fromEntries(Object.entries(verbs).map(([name, verb]) => [name, { ...verb, group }])) as Table;
}
